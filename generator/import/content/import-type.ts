/** Writes the versions of one content type in batches, each in one transaction, so that every version is complete. */
import type { Session } from "../../../runtime/database/database.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { groupBy } from "../../base/lists.ts";
import { readBatch, type TypeImport } from "./build-batch.ts";
import type { BuiltVersion } from "./build-version.ts";
import { insertRows } from "./insert-rows.ts";
import { dropRepeated } from "./unique-values.ts";

/** Versions that were written, and those that already existed. */
export interface Tally {
  created: number;
  present: number;
}

const insertVersions = async (session: Session, { table }: ContentType, versions: readonly BuiltVersion[]) => {
  await insertRows(
    session,
    table,
    versions.map(({ columns }) => columns),
  );
  const all = versions.flatMap(({ links }) => links);
  for (const [link, parts] of groupBy(all, ({ table: own }) => own)) {
    await insertRows(
      session,
      link,
      parts.flatMap(({ rows }) => rows),
    );
  }
};

const store = (session: Session, { type, report }: TypeImport, versions: readonly BuiltVersion[]): Promise<void> =>
  session.transaction(async (transaction) => {
    // Waiting for the end of the import waits for everything before it.
    await transaction.rows("set local synchronous_commit = off");
    await dropRepeated(transaction, type, versions, ({ documentId, locale }, attribute, value) =>
      report.add({
        weight: "lost",
        type: type.uid,
        documentId,
        locale,
        attribute,
        reason: "another published document has this value, which is unique here",
        value,
      }),
    );
    await insertVersions(transaction, type, versions);
  });

/** Imports the staged rows of one type. Existing versions stay as they are. */
export const importType = async (session: Session, context: TypeImport): Promise<Tally> => {
  const tally = { created: 0, present: 0 };
  for (let batch = await readBatch(session, context, 0); batch !== undefined;) {
    const { last, rows, versions, present } = batch;
    const next = () => readBatch(session, context, last);
    if (context.readsAhead) [batch] = await Promise.all([next(), store(session, context, versions)]);
    else {
      await store(session, context, versions);
      batch = await next();
    }
    tally.created += versions.length;
    tally.present += present;
    context.onBatch(rows);
  }
  return tally;
};
