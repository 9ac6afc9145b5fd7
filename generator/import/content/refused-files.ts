/** Refuses rows of files whose names or addresses are none that an upload can have. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import { isKey } from "../../../runtime/base/storage.ts";
import { numberOf, requiredText } from "../../../runtime/database/column-values.ts";
import type { Session } from "../../../runtime/database/database.ts";
import { FILE, objectKey, objectsOf } from "./import-files.ts";
import type { Report } from "./report.ts";

const BATCH = 250;

interface Refusal {
  readonly reason: string;
  readonly value: unknown;
}

/** Whether a browser that follows the address would only load it. Relative ones and those that are broken load nothing else. */
const isHarmless = (url: unknown): boolean => {
  if (typeof url !== "string" || !URL.canParse(url)) return true;
  return /^https?:$/.test(new URL(url).protocol);
};

/** An object of a file that was here before; with its size in kilobytes if it is the original. */
interface Taken {
  readonly key: string;
  readonly documentId: string;
  readonly size: number | null;
}

const refusalOf = (data: Readonly<Record<string, unknown>>, taken: readonly Taken[]): Refusal | undefined => {
  const objects = objectsOf(data);
  const keys = objects.map(objectKey);
  const key = keys.find((each) => !isKey(each));
  if (key !== undefined) {
    return { reason: "its hash and ext are no plain file name, so that it could lead out of the storage", value: key };
  }
  const other = keys.find((each) => taken.some((file) => file.key === each));
  if (other !== undefined) return { reason: "another file is stored here under its name", value: other };
  const url = [data["previewUrl"], ...objects.map((object) => object["url"])].find((each) => !isHarmless(each));
  return url === undefined ? undefined : { reason: "its address is none of the web", value: url };
};

const TAKEN = `
  select key, document_id, size from cms_import.taken where key = any($1::text[])`;

const readTaken = async (session: Session, rows: readonly FileRow[]): Promise<readonly Taken[]> => {
  const found = await session.rows(TAKEN, [rows.flatMap(({ data }) => objectsOf(data).map(objectKey))]);
  return found.map(([key, documentId, size]) => ({
    key: requiredText(key),
    documentId: requiredText(documentId),
    size: typeof size === "number" ? size : null,
  }));
};

interface FileRow {
  readonly ref: number;
  readonly documentId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const readFiles = async (session: Session, after: number): Promise<readonly FileRow[]> => {
  const rows = await session.rows(
    `select ref, document_id, data from cms_import.entities join cms_import.contents using (type, ref)
     where type = $1 and ref > $2 order by ref limit ${BATCH}`,
    [FILE, after],
  );
  return rows.map(([ref, documentId, text]) => {
    const data: unknown = JSON.parse(requiredText(text));
    return { ref: numberOf(ref), documentId: requiredText(documentId), data: isRecord(data) ? data : {} };
  });
};

const setColumn = (session: Session, column: "document_id" | "reason", ref: number, value: string) =>
  session.rows(`update cms_import.entities set ${column} = $3 where type = $1 and ref = $2`, [FILE, ref, value]);

/**
 * Marks the rows that are refused, and reports each. A row with the name and size of a file that was here before is that
 * file.
 */
export const refuseFiles = async (session: Session, report: Report): Promise<void> => {
  for (
    let rows = await readFiles(session, 0);
    rows.length > 0;
    rows = await readFiles(session, rows.at(-1)?.ref ?? 0)
  ) {
    const all = await readTaken(session, rows);
    for (const { ref, documentId, data } of rows) {
      const taken = all.filter((each) => each.documentId !== documentId);
      const same = taken.find(({ key, size }) => key === objectKey(data) && size !== null && size === data["size"]);
      if (same) {
        await setColumn(session, "document_id", ref, same.documentId);
        continue;
      }
      const refusal = refusalOf(data, taken);
      if (refusal === undefined) continue;
      report.add({ weight: "lost", type: FILE, id: ref, ...refusal });
      await setColumn(session, "reason", ref, refusal.reason);
    }
  }
};
