/** Exports the rows of one content type, and their links, in batches. */
import { numberOf, type Session } from "../../runtime/database/database.ts";
import type { ContentType } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { entityData } from "./entity-data.ts";
import type { LineFiles } from "./line-files.ts";
import { fileLine, relationLine } from "./link-lines.ts";
import { readLinkRows } from "./link-rows.ts";
import { linksOf } from "./row-links.ts";
import { batchesOf } from "./table-rows.ts";
import { readTargets } from "./target-rows.ts";

export interface TypeExport {
  readonly registry: Registry;
  readonly lines: LineFiles;
  readonly defaultLocale: string;
  readonly onRows: (rows: number) => void;
}

/** Writes every version of the type; returns their number. */
export const exportType = async (session: Session, context: TypeExport, type: ContentType): Promise<number> => {
  const { registry, lines, defaultLocale, onRows } = context;
  const { table, uid, draftAndPublish } = type;
  let count = 0;
  for await (const batch of batchesOf(session, table)) {
    const ids = batch.map((row) => numberOf(row.get(table.id.name)));
    const links = await readLinkRows(session, type, ids);
    const found = batch.map((row, index) => linksOf(registry, type, row, ids[index] ?? 0, links));
    const all = found.flatMap(({ relations }) => relations);
    const targetsOf = await readTargets(session, registry, all, defaultLocale);
    for (const [index, row] of batch.entries()) {
      const id = ids[index] ?? 0;
      await lines.addEntity(uid, id, entityData(registry, type, row));
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
        // Strapi has no such links; here they take effect once the target has a version.
        await lines.add("galley", relationLine(relation, { documentId: relation.target.documentId }));
      }
      for (const file of found[index]?.files ?? []) await lines.add("links", fileLine(file));
    }
    count += batch.length;
    onRows(count);
  }
  return count;
};
