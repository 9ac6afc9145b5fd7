/** The whole import of an export, in order. */
import path from "node:path";
import { getTableName } from "drizzle-orm";
import { system } from "../../../runtime/access/caller.ts";
import { roleFollowUp, roleUid } from "../../../runtime/accounts/roles/roles.ts";
import { commandRecorders } from "../../../runtime/app/features.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import type { Project } from "../../../runtime/app/project.ts";
import { isKey, type StorageProvider } from "../../../runtime/base/storage.ts";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import { oneAtATime } from "../../../runtime/database/one-at-a-time.ts";
import type { Act } from "../../../runtime/documents/acts.ts";
import { recordAct } from "../../../runtime/documents/recorders.ts";
import { createMedia } from "../../../runtime/media/media.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { createRegistry, type Registry } from "../../../runtime/schema/registry.ts";
import { FOLDER } from "../../archive/folder-path.ts";
import type { Content } from "../source.ts";
import { skipBody } from "./archive-entries.ts";
import { placeLinks } from "./batch-links.ts";
import type { Reserve, TypeImport } from "./build-batch.ts";
import { leaveOutEmptyFolders, readFolders } from "./folders.ts";
import { groupRows } from "./grouping.ts";
import { FILE, importFiles, storeBytes } from "./import-files.ts";
import { importPermissions, PERMISSION } from "./import-permissions.ts";
import { importType, type Tally } from "./import-type.ts";
import { createFetch } from "./missing-bytes.ts";
import { readArchive, type Source } from "./read-archive.ts";
import { refuseFiles } from "./refused-files.ts";
import { remarkSettings } from "./remark-settings.ts";
import type { Report } from "./report.ts";
import { type Reservation, reserveComponentIds, reserveIds } from "./reserve.ts";
import { writeSourceIds } from "./source-ids.ts";
import { sourceLocales } from "./source-locales.ts";
import { dropStaging, finishStaging, insertObject, isTaken, prepareStaging } from "./staging.ts";
import { assignVersions, leaveOutOthers, type Locales } from "./states.ts";

export interface Import {
  /** The content to import. */
  readonly content: Content;
  /** The source of bytes that the content lacks. */
  readonly files: string | undefined;
  /** Does everything, then rolls it back. */
  readonly isDry: boolean;
  readonly report: Report;
  /** Where to write which documents version 4 rows have become. */
  readonly idsFile: string;
  /** Writes the source's locales to the configuration; undefined if that already has locales. */
  readonly adoptLocales: ((locales: Locales) => Promise<void>) | undefined;
  readonly onStep: (text: string) => void;
}

export type Imported = Awaited<ReturnType<typeof writeAll>>;

/** Types of plugins whose rows are not content: their purpose is served elsewhere here. */
const ELSEWHERE = ["plugin::i18n.locale", PERMISSION, FILE];

/** Thrown to roll back a dry run. */
const TAKEN_BACK = new Error("taken back");

/** For types without files or relations, the order does not matter. */
const typesOf = ({ contentTypes }: Registry): readonly ContentType[] =>
  Object.values(contentTypes).map(({ type }) => type);

/** Does the work on first use of its result. */
const once = (reserve: Reserve): Reserve => {
  let reserved: number | undefined;
  return async (session) => (reserved ??= await reserve(session));
};

const highestRef = async (session: Session, uid: string): Promise<number> => {
  const [row] = await session.rows("select coalesce(max(ref), 0) from cms_import.entities where type = $1", [uid]);
  return numberOf(row?.[0]);
};

const remarkLeftOut = async (session: Session, report: Report): Promise<void> => {
  const rows = await session.rows(
    "select type, ref, document_id, locale, reason from cms_import.entities where reason is not null and type <> all($1::text[]) order by type, ref",
    [ELSEWHERE],
  );
  for (const [type, ref, documentId, locale, reason] of rows) {
    report.add({
      weight: "lost",
      type: requiredText(type),
      id: numberOf(ref),
      documentId: typeof documentId === "string" ? documentId : null,
      locale: typeof locale === "string" ? locale : null,
      reason: requiredText(reason),
    });
  }
};

interface Writing {
  readonly session: Session;
  readonly project: Project;
  readonly job: Import;
  readonly source: Source;
  readonly registry: Registry;
  readonly reservation: Reservation;
}

/** Determines which documents the rows belong to. */
const workOut = async ({ session, project, job, source, registry }: Writing): Promise<void> => {
  const types = typesOf(registry);
  job.onStep("working out documents");
  const adopted = job.adoptLocales && (await sourceLocales(session, source));
  const locales = adopted ?? project.config.locales;
  if (adopted && !job.isDry) await job.adoptLocales?.(adopted);
  await session.transaction(async (transaction) => {
    await finishStaging(transaction);
    await groupRows(transaction, registry);
    await leaveOutEmptyFolders(transaction);
    await leaveOutOthers(transaction, [...types.map(({ uid }) => uid), ...ELSEWHERE, FOLDER]);
    for (const type of types) await assignVersions(transaction, type, locales);
    await placeLinks(transaction, source.isOwn);
    await transaction.script("analyze cms_import.entities");
  });
  await remarkLeftOut(session, job.report);
  remarkSettings(job.report, source.configuration);
};

const writeFiles = async (
  { session, job: { report, files, isDry }, reservation }: Writing,
  storage: StorageProvider,
): Promise<Tally> => {
  await refuseFiles(session, report);
  return importFiles(session, {
    storage,
    report,
    folders: await readFolders(session),
    offset: async (own) => reserveIds(own, reservation, "files", await highestRef(own, FILE)),
    fetchObject: createFetch(storage, files, isDry),
  });
};

const writeType = async (
  { session, project: { config, database }, job: { report, isDry, onStep }, registry, reservation }: Writing,
  { type, highest, componentOffset }: Pick<TypeImport, "type" | "componentOffset"> & { readonly highest: number },
): Promise<Tally> => {
  let done = 0;
  return importType(session, {
    registry,
    report,
    type,
    offset: once((own) => reserveIds(own, reservation, getTableName(type.table), 2 * highest)),
    draftOffset: highest,
    componentOffset,
    strictRelations: config.documents.strictRelations,
    isDry,
    onBatch: (rows) => onStep(`${type.uid}: ${(done += rows)} rows`),
    readsAhead: database.kind === "postgres" && !isDry,
  });
};

const writeAll = async (writing: Writing, storage: StorageProvider) => {
  const { session, project, job, source, registry, reservation } = writing;
  await workOut(writing);
  /** By the uid of a type. */
  const tallies = new Map<string, Tally>([[FILE, await writeFiles(writing, storage)]]);
  const componentOffset = once((own) => reserveComponentIds(own, reservation, source.highestEntry));
  for (const type of typesOf(registry)) {
    const highest = await highestRef(session, type.uid);
    if (highest > 0) tallies.set(type.uid, await writeType(writing, { type, highest, componentOffset }));
  }
  if (registry.has(roleUid)) {
    const grantable = grantableActions(project.application, project.config);
    tallies.set(PERMISSION, await importPermissions(session, job.report, grantable, await commandRecorders(project)));
  }
  /** How many version 4 rows have a line in the file of ids. */
  const ids = source.version.startsWith("4.") && !job.isDry ? await writeSourceIds(session, job.idsFile) : 0;
  return { source, tallies, ids };
};

const runIn = async (session: Session, project: Project, job: Import): Promise<Imported> => {
  const { storage } = createMedia(project.config, project.root);
  await prepareStaging(session);
  const source = await readArchive(job.content.entries, {
    session,
    onStep: job.onStep,
    storeObject: async (key, entry) => {
      if (!isKey(key)) {
        await skipBody(entry);
        return;
      }
      const stays = job.isDry || ((await isTaken(session, key)) && (await storage.stat(key)) !== undefined);
      await (stays ? skipBody(entry) : storeBytes(storage, key, entry));
      await insertObject(session, key, entry.size);
    },
  });
  const registry = createRegistry(project.application);
  const reservation = { archive: job.content.name, isDry: job.isDry };
  const imported = await writeAll({ session, project, job, source, registry, reservation }, storage);
  await dropStaging(session);
  return imported;
};

const runForGood = async (project: Project, job: Import): Promise<Imported> => {
  const { database } = project;
  const { place, origin } = job.content;
  const recorders = await commandRecorders(project);
  const subject = { type: origin, id: path.basename(place), name: place };
  const record = (details: Act["details"] = {}): Promise<void> =>
    recordAct(database, recorders, { action: "content.import", subject, details }, system);
  await record();
  const imported = await runIn(database, project, job);
  await record({ created: Object.fromEntries([...imported.tallies].map(([type, { created }]) => [type, created])) });
  await roleFollowUp.committed(database);
  return imported;
};

const runDry = async (project: Project, job: Import): Promise<Imported> => {
  let imported: Imported | undefined;
  await project.database
    .transaction(async (transaction) => {
      imported = await runIn(transaction, project, job);
      throw TAKEN_BACK;
    })
    .catch((error: unknown) => {
      if (error !== TAKEN_BACK) throw error;
    });
  if (imported === undefined) throw new Error("A dry run ended without a result");
  return imported;
};

/** A number of our own for the advisory lock. */
const LOCK = "7235193450144";

const taken = async (): Promise<never> => {
  throw new SetupError("another import is writing to this database. Wait until it is done.");
};

/** Staging tables belong to one import at a time. */
const alone = <Result>({ database, root }: Project, work: () => Promise<Result>): Promise<Result> =>
  oneAtATime({ database, root, name: "import", key: LOCK, taken }, work);

/**
 * Imports the content of an export.
 *
 * @throws SetupError if the export is unreadable or truncated (then only files have been written), or if another import
 * is running
 */
export const runImport = (project: Project, job: Import): Promise<Imported> =>
  alone(project, () => (job.isDry ? runDry(project, job) : runForGood(project, job)));
