/**
 * What changes of files have to do with the documents that show them. A writer locks its documents first, and files by the
 * references that it makes to them; so whoever locks both takes them in this order too.
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

/** The documents that show the file through one attribute, in any of their versions. */
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
 * Locks what the deletion of a file changes: the documents that show it, and then the file, which nobody can be given
 * any more. References inside of components are not among it: they stay, and lead nowhere.
 *
 * @throws RunAgainError when others were given the file meanwhile, and are being written
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
