/** The rows of one content type, and what leads away from them, batch by batch. */
import { getTableColumns, getTableName } from "drizzle-orm";
import { numberOf } from "../../runtime/database/column-values.ts";
import type { Session } from "../../runtime/database/database.ts";
import type { ContentType } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { quote } from "../migrate/sql.ts";
import { entityData, type StoredVersion } from "./entity-data.ts";
import type { LineFiles } from "./line-files.ts";
import { fileLine, localizationsLine, relationLine } from "./link-lines.ts";
import { readLinkRows } from "./link-rows.ts";
import { linksOf } from "./row-links.ts";
import { readTargets } from "./target-rows.ts";

const BATCH = 250;

export interface TypeExport {
  readonly registry: Registry;
  readonly lines: LineFiles;
  readonly defaultLocale: string;
  readonly onRows: (rows: number) => void;
}

const readVersions = async (session: Session, { table }: ContentType, after: number) => {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name);
  const rows = await session.rows(
    `select ${names.map(quote).join(", ")} from ${quote(getTableName(table))}
     where id > $1 order by id limit ${BATCH}`,
    [after],
  );
  return rows.map((row): StoredVersion => new Map(names.map((name, index) => [name, row[index] ?? null])));
};

/** Writes every version of the type. Returns how many there are. */
export const exportType = async (session: Session, context: TypeExport, type: ContentType): Promise<number> => {
  const { registry, lines, defaultLocale, onRows } = context;
  const { table, uid, draftAndPublish } = type;
  let count = 0;
  for (let after = 0; ;) {
    const batch = await readVersions(session, type, after);
    if (batch.length === 0) return count;
    const ids = batch.map((row) => numberOf(row.get(table.id.name)));
    const links = await readLinkRows(session, type, ids);
    const found = batch.map((row, index) => linksOf(registry, type, row, ids[index] ?? 0, links));
    const all = found.flatMap(({ relations }) => relations);
    const targetsOf = await readTargets(session, registry, all, defaultLocale);
    for (const [index, row] of batch.entries()) {
      const id = ids[index] ?? 0;
      await lines.add("entities", JSON.stringify({ type: uid, id, data: entityData(registry, type, row) }));
      await lines.add("links", localizationsLine(uid, id, row.get(table.documentId.name)));
      const locale = table.locale ? row.get(table.locale.name) : null;
      const source = {
        draftAndPublish,
        isPublished: row.get(table.publishedAt.name) !== null,
        locale: typeof locale === "string" ? locale : null,
      };
      for (const relation of found[index]?.relations ?? []) {
        const targets = targetsOf(source, relation);
        for (const ref of targets) await lines.add("links", relationLine(relation, { ref }));
        if (targets.length > 0) continue;
        // Strapi has no such links; here they show as soon as there is a version to show.
        await lines.add("galley", relationLine(relation, { documentId: relation.target.documentId }));
      }
      for (const file of found[index]?.files ?? []) await lines.add("links", fileLine(file));
    }
    after = ids.at(-1) ?? after;
    count += batch.length;
    onRows(count);
  }
};
