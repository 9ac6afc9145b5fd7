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

const refusalOf = (data: Readonly<Record<string, unknown>>): Refusal | undefined => {
  const objects = objectsOf(data);
  const key = objects.map(objectKey).find((each) => !isKey(each));
  if (key !== undefined) {
    return { reason: "its hash and ext are no plain file name, so that it could lead out of the storage", value: key };
  }
  const url = [data["previewUrl"], ...objects.map((object) => object["url"])].find((each) => !isHarmless(each));
  return url === undefined ? undefined : { reason: "its address is none of the web", value: url };
};

/** Marks the rows that are refused, and reports each. */
export const refuseFiles = async (session: Session, report: Report): Promise<void> => {
  for (let after = 0; ;) {
    const batch = await session.rows(
      `select ref, data from cms_import.contents where type = $1 and ref > $2 order by ref limit ${BATCH}`,
      [FILE, after],
    );
    if (batch.length === 0) return;
    after = numberOf(batch.at(-1)?.[0]);
    for (const [id, text] of batch) {
      const data: unknown = JSON.parse(requiredText(text));
      const refusal = isRecord(data) ? refusalOf(data) : undefined;
      if (refusal === undefined) continue;
      const ref = numberOf(id);
      report.add({ weight: "lost", type: FILE, id: ref, ...refusal });
      await session.rows("update cms_import.entities set reason = $3 where type = $1 and ref = $2", [
        FILE,
        ref,
        refusal.reason,
      ]);
    }
  }
};
