/** Takes the locks of writes: for the documents they reach, for those found to be needed later, and for deletions. */
import { eq, type SQL, sql } from "drizzle-orm";
import { type Bound, requiredText, type Row, run, sendAll, type Session } from "../../database/database.ts";
import { RunAgainError } from "../../database/fault.ts";
import { documents } from "../../schema/columns.ts";
import type { ContentType, Attribute } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import { files } from "../../schema/tables/files.ts";
import { attributesOf, isFileLink } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import {
  findDocuments,
  lockDocuments,
  lockFree,
  lockNames,
  type NamedLocks,
  lockAgainstLinks,
  type Documents,
  documentsOf,
  documentsLeading,
} from "../sql/lock.ts";
import { type Reach, owningSide } from "./reach.ts";

const HELD = "Others hold what this needs; try again";

/**
 * Locks the documents in `found` that are not locked yet, and returns all locked documents. To wait for them while
 * holding other locks could cause a deadlock. So they are locked only if they are free; otherwise the transaction
 * releases everything and starts again.
 *
 * Repeats the query `moving` until it finds no further documents once all locks are held. A writer that could change
 * its result needs one of these locks: it has finished before the last query, or waits for us, or concerns other
 * documents.
 *
 * @throws RunAgainError when another transaction holds one of them
 */
const lockLate = async (
  session: Session,
  found: readonly Row[],
  locked: ReadonlySet<string>,
  moving: readonly Bound[] = [],
): Promise<ReadonlySet<string>> => {
  const late = found.map(([each]) => requiredText(each)).filter((each) => !locked.has(each));
  if (late.length === 0) return locked;
  const [free = [], again = []] = await sendAll(session, [lockFree(late), ...moving]);
  if (free.length < late.length) throw new RunAgainError(HELD);
  return lockLate(session, again, new Set([...locked, ...late]), moving);
};

/**
 * Takes all locks of a write, and returns the locked documents: those that exist. `documentId` is the document that is
 * written; undefined if it is new.
 *
 * @throws RunAgainError when another transaction holds a document that turned out to be needed
 */
export const lockReach = async (
  session: Session,
  type: ContentType,
  documentId: string | undefined,
  { writers, targets, documents, moving }: Reach,
): Promise<ReadonlySet<string>> => {
  const steps = [writers.map((each): NamedLocks => ({ name: "write", documents: each })), targets];
  const named = steps.filter((locks) => locks.length > 0).map((locks) => lockNames(type, locks));
  const isAny = documentId !== undefined || documents.length > 0;
  const again = moving.length > 0 ? [findDocuments(type, moving)] : [];
  const results = await sendAll(session, [
    ...named,
    ...(isAny ? [lockDocuments(type, documentId, documents)] : []),
    ...again,
  ]);
  const rows = isAny ? (results[named.length] ?? []) : [];
  const locked = new Set(rows.map(([each]) => requiredText(each)));
  return lockLate(session, again.length > 0 ? (results.at(-1) ?? []) : [], locked, again);
};

const allLeading = (
  { registry }: Pick<WriteServices, "registry">,
  target: ContentType,
  documentIds: readonly string[],
): readonly Documents[] =>
  Object.values(registry.contentTypes).flatMap(({ type }) =>
    attributesOf(type).flatMap(([name, attribute]) => {
      const owning = owningSide(type, name, attribute);
      const mayLead = !("target" in attribute) || attribute.target === target.uid;
      return owning && mayLead ? [documentsLeading(`${type.uid} ${name}`, owning, documentIds)] : [];
    }),
  );

/** Maximum number of documents of one deletion that get a named lock. */
const MOST_NAMED = 100;

/**
 * Locks documents of a type, and all documents that refer to them, before a deletion. Returns the locked documents.
 * Referring documents are locked because the database deletes these links, and so changes the versions that hold them.
 *
 * While the deletion waits for these locks, further documents may link to the deleted ones. So in the end it upgrades
 * their own lock, which waits for links being written and blocks new ones. Documents that link to them by then without
 * being locked are locked late.
 *
 * @throws RunAgainError when another document got a link meanwhile and is being written
 */
export const lockDeletion = async (
  session: Session,
  services: Pick<WriteServices, "registry">,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const own = documentsOf(type, documentIds);
  // PostgreSQL has room for only a few thousand named locks. Without them conflicts are more frequent, but nothing
  // breaks.
  const writers = documentIds.length > MOST_NAMED ? [] : [own];
  const leading = allLeading(services, type, documentIds);
  const [locked, results] = await Promise.all([
    lockReach(session, type, undefined, { writers, targets: [], documents: [own, ...leading], moving: [] }),
    sendAll(session, [lockAgainstLinks(documentIds), ...(leading.length > 0 ? [findDocuments(type, leading)] : [])]),
  ]);
  return lockLate(session, results[1] ?? [], locked);
};

/** The documents that use the file in one attribute, in any version. */
const showing = ({ table }: ContentType, attribute: Attribute, file: number): SQL | undefined => {
  if (attribute.type !== "media") return undefined;
  if (!isFileLink(attribute)) {
    return sql`select ${table.documentId} from ${table} where ${eq(attribute.column, file)}`;
  }
  const { link } = attribute;
  return sql`select ${table.documentId} from ${link} join ${table} on ${table.id} = ${link.versionId} where ${eq(link.fileId, file)}`;
};

const allShowing = ({ contentTypes }: Registry, file: number): readonly SQL[] =>
  Object.values(contentTypes).flatMap(({ type }) =>
    attributesOf(type).flatMap(([, attribute]) => showing(type, attribute, file) ?? []),
  );

const lockFile = (session: Session, file: number): Promise<unknown> =>
  run(session, sql`select ${files.id} from ${files} where ${eq(files.id, file)} for update`);

/**
 * Locks what the deletion of a file changes: the documents that use it, then the file, so that no new references can be
 * made. References within components are not changed: they stay, and lead nowhere. Like writes, everything that locks
 * both locks the documents first.
 *
 * @throws RunAgainError when another document got the file meanwhile and is being written
 */
export const lockFileDeletion = async (session: Session, registry: Registry, file: number): Promise<void> => {
  const [first, ...others] = allShowing(registry, file);
  if (!first) {
    await lockFile(session, file);
    return;
  }
  const found = sql.join([first, ...others], sql` union `);
  const locked = await run(
    session,
    sql`select ${documents.documentId} from ${documents} where ${documents.documentId} = any(array(${found})) order by ${documents.documentId} for no key update`,
  );
  await lockFile(session, file);
  await lockLate(session, await run(session, found), new Set(locked.map(([each]) => requiredText(each))));
};
