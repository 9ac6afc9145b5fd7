/** The whole export, in order. */
import { getTableName } from "drizzle-orm";
import type { Project } from "../../runtime/app/project.ts";
import type { Session } from "../../runtime/database/database.ts";
import { createMedia } from "../../runtime/media/media.ts";
import { createRegistry, type Registry } from "../../runtime/schema/registry.ts";
import { type ArchiveWriter, createArchive } from "./archive-writer.ts";
import { exportAssets, exportFiles } from "./export-files.ts";
import { exportLocales, exportPermissions } from "./export-settings.ts";
import { exportType } from "./export-type.ts";
import { exportFolders } from "./folders.ts";
import { createLineFiles } from "./line-files.ts";

/** The Strapi version that the archive claims. */
const STRAPI = "5.54.0";

export interface Export {
  readonly location: string;
  /** Encrypts the archive. */
  readonly key: string | undefined;
  /** Whether to include the bytes of files. */
  readonly withFiles: boolean;
  /** The declarations of the content types and components. */
  readonly schemas: readonly object[];
  readonly onStep: (text: string) => void;
}

export type Exported = Awaited<ReturnType<typeof runExport>>;

/** The time of the last change: the same content has the same date, and yields the same archive. */
const newestChange = async (session: Session, registry: Registry): Promise<string> => {
  const tables = ["files", ...Object.values(registry.contentTypes).map(({ type }) => getTableName(type.table))];
  const each = tables.map((table) => `select max(updated_at) as at from "${table}"`).join(" union all ");
  const [row] = await session.rows(`select (extract(epoch from max(at)) * 1000)::bigint from (${each}) as newest`);
  return new Date(Number(row?.[0] ?? 0)).toISOString();
};

/** Exports everything in the database from one snapshot. */
const writeContent = async (
  session: Session,
  { application, config }: Project,
  job: Export,
  opened: (archive: ArchiveWriter) => void,
) => {
  await session.rows("set transaction isolation level repeatable read, read only");
  const registry = createRegistry(application);
  const at = await newestChange(session, registry);
  const archive = createArchive({ location: job.location, key: job.key, modified: new Date(at) });
  opened(archive);
  const schemas = job.schemas.map((schema) => `${JSON.stringify(schema)}\n`).join("");
  await archive.text("schemas/schemas_00001.jsonl", schemas);
  const lines = createLineFiles(archive);
  const assets = await exportFiles(session, lines, await exportFolders(session, lines, at));
  await exportLocales(config, lines, at);
  await exportPermissions(session, registry, lines, at);
  /** Row counts by type uid. */
  const rows = new Map<string, number>();
  for (const { type } of Object.values(registry.contentTypes)) {
    const onRows = (count: number): void => job.onStep(`${type.uid}: ${count} rows`);
    rows.set(
      type.uid,
      await exportType(session, { registry, lines, defaultLocale: config.locales.default, onRows }, type),
    );
  }
  await lines.end();
  return { archive, at, rows, assets };
};

/**
 * Writes the project's content as `strapi export` would. Reads the database in one transaction, which ends before the
 * bytes of files are read.
 */
export const runExport = async (project: Project, job: Export) => {
  let begun: ArchiveWriter | undefined;
  try {
    const { archive, at, rows, assets } = await project.database.transaction((transaction) =>
      writeContent(transaction, project, job, (opened) => (begun = opened)),
    );
    job.onStep("files");
    const wanted = job.withFiles ? assets.values() : [];
    /** The names of files whose bytes are missing. */
    const missing = await exportAssets(archive, createMedia(project.config, project.root).storage, wanted);
    const metadata = { createdAt: at, strapi: { version: STRAPI }, galley: { format: 1 } };
    await archive.text("metadata.json", JSON.stringify(metadata, null, 2));
    await archive.finish();
    return { rows, files: assets.size, missing };
  } catch (error) {
    await begun?.discard();
    throw error;
  }
};
