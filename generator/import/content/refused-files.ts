/** Refuses file rows whose names or addresses no upload can have. */
import { isKey } from "../../../runtime/base/storage.ts";
import { requiredText, type Session } from "../../../runtime/database/database.ts";
import { FILE, objectKey, objectsOf, type StagedFile, stagedFiles } from "./import-files.ts";
import type { Report } from "./report.ts";

/** Whether a browser that follows the address only loads it. Relative and broken ones load nothing else. */
const isHarmless = (url: unknown): boolean => {
  if (typeof url !== "string" || !URL.canParse(url)) return true;
  return /^https?:$/.test(new URL(url).protocol);
};

/** A stored object of an existing file, with its size in kilobytes if it is the original. */
type Taken = Awaited<ReturnType<typeof readTaken>>[number];

const refusalOf = (data: Readonly<Record<string, unknown>>, taken: readonly Taken[]) => {
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

const readTaken = async (session: Session, rows: readonly StagedFile[]) => {
  const found = await session.rows(TAKEN, [rows.flatMap(({ data }) => objectsOf(data).map(objectKey))]);
  return found.map(([key, documentId, size]) => ({
    key: requiredText(key),
    documentId: requiredText(documentId),
    size: typeof size === "number" ? size : null,
  }));
};

const setColumn = (session: Session, column: "document_id" | "reason", ref: number, value: string) =>
  session.rows(`update cms_import.entities set ${column} = $3 where type = $1 and ref = $2`, [FILE, ref, value]);

/**
 * Marks the refused rows and reports each. A row with the name and size of an existing file is that file.
 */
export const refuseFiles = async (session: Session, report: Report): Promise<void> => {
  for await (const rows of stagedFiles(session, { withRefused: true })) {
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
