/**
 * Locks for changes of files and the documents that use them. A write locks documents first, and then files through its
 * references to them. Everything that locks both uses this order, to avoid deadlocks.
 */
import { eq, type SQL, sql } from "drizzle-orm";
import { requiredText } from "../../database/column-values.ts";
import type { Session } from "../../database/database.ts";
import { run } from "../../database/statement.ts";
import { documents } from "../../schema/columns.ts";
import type { Attribute, ContentType } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import { files } from "../../schema/tables/files.ts";
import { attributesOf, isFileLink } from "../attributes.ts";
import { lockLate } from "./late.ts";

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
 * made. References within components are not changed: they stay, and lead nowhere.
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
