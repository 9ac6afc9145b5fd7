/**
 * Maps each version 4 row to its new document: version 4 links and clients use numeric ids, which documents here do not
 * have in every version.
 */
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import { createLineWriter } from "./line-writer.ts";

const BATCH = 5000;

const ROWS = `
  select type, ref, document_id, locale from cms_import.entities
  where (states is not null or target_id is not null) and (type, ref) > ($1, $2)
  order by type, ref limit ${BATCH}`;

/** Writes a JSON line for every imported row, by type and id; returns the number of lines. */
export const writeSourceIds = async (session: Session, file: string): Promise<number> => {
  const lines = createLineWriter(file);
  let count = 0;
  for (let [type, id] = ["", 0]; ;) {
    const rows = await session.rows(ROWS, [type, id]);
    if (rows.length === 0) break;
    for (const [of, ref, documentId, locale] of rows) {
      [type, id] = [requiredText(of), numberOf(ref)];
      lines.write({ type, id, documentId, locale });
    }
    count += rows.length;
  }
  lines.end();
  return count;
};
