/** The statement that looks up the documents and files to which references lead. */
import { getTableName, type SQL, sql } from "drizzle-orm";
import { type Bound, statementOf } from "../../database/database.ts";
import type { RowLimit } from "../../query/index.ts";
import type { Uid } from "../../schema/content-type.ts";
import { files } from "../../schema/tables/files.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";
import type { Reference } from "../../schema/validation/relation-value.ts";
import type { SeesDrafts, Source, WriteServices } from "../context.ts";
import { anyOf } from "../sql/version.ts";

export const FILES: Uid = "plugin::upload.file";

/** The keys in references, without ids that no row can have. */
export const keysOf = (
  references: readonly Reference[],
): { readonly documentIds: readonly string[]; readonly ids: readonly number[] } => {
  const valid = references.filter(({ invalid }) => !invalid);
  const documentIds = valid.flatMap(({ documentId }) => documentId?.replaceAll("\0", "") ?? []);
  const ids = valid.flatMap(({ documentId, id }) => (documentId === undefined && isInt4(id) ? [id] : []));
  return { documentIds: [...new Set(documentIds)], ids: [...new Set(ids)] };
};

/** References to documents of one type by one kind of key. */
interface Part {
  readonly target: Uid;
  readonly by: "documentId" | "id";
  readonly keys: readonly string[] | readonly number[];
  /** Whether only documents with a published version are found. */
  readonly published: boolean;
  /** Undefined where all rows are found. */
  readonly limit?: RowLimit | undefined;
}

/**
 * Groups references by type and kind of key. Row ids can be guessed by counting, so they must not reveal which drafts
 * exist: for writers who may not read drafts, drafts count as missing.
 */
export const partsOf = (
  { readable }: Source,
  wanted: ReadonlyMap<Uid, readonly Reference[]>,
  seesDrafts: SeesDrafts,
): readonly Part[] =>
  [...wanted]
    .flatMap(([target, references]): Part[] => {
      const { documentIds, ids } = keysOf(references);
      return [
        { target, by: "documentId", keys: documentIds, published: false, limit: readable?.(target) },
        { target, by: "id", keys: ids, published: target !== FILES && !seesDrafts(target), limit: readable?.(target) },
      ];
    })
    .filter(({ keys }) => keys.length > 0);

const selectPart = (services: WriteServices, { target, by, published, limit }: Part, index: number): SQL => {
  const table = target === FILES ? files : services.registry.contentType(target).table;
  const from = limit ? sql`(${limit.rows}) as ${sql.identifier(getTableName(table))}` : sql`${table}`;
  const locale = "locale" in table && table.locale ? sql`${table.locale}` : sql`null::text`;
  const named =
    by === "id"
      ? sql`${table.id} = ${anyOf(`keys ${index}`, "int")}`
      : sql`${table.documentId} = ${anyOf(`keys ${index}`, "text")}`;
  const where = published ? sql`${named} and ${table.publishedAt} is not null` : named;
  const mime = target === FILES ? sql`${files.mime}` : sql`null::text`;
  return sql`select ${sql.raw(String(index))}, ${table.id}, ${table.documentId}, ${locale}, ${mime} from ${from} where ${where}`;
};

/** One statement for all lookups. Each row begins with the number of the part that it belongs to. */
export const lookup = ({ services, type }: Source, parts: readonly Part[]): Bound => ({
  statement: statementOf(
    type.table,
    `lookup ${parts.map(({ target, by, published, limit }) => `${target} by ${by}${published ? ", published" : ""}${limit ? limit.key : ""}`).join(", ")}`,
    () =>
      sql.join(
        parts.map((part, index) => selectPart(services, part, index)),
        sql` union all `,
      ),
  ),
  values: Object.assign(
    Object.fromEntries(parts.map(({ keys }, index) => [`keys ${index}`, keys])),
    ...parts.map(({ limit }) => limit?.values),
  ),
});
