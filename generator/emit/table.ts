import { stringLiteral } from "../attributes/literal.ts";
import type { Attribute, ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";
import type { LinkView } from "./views.ts";

const linkView = (attribute: Attribute): readonly LinkView[] => {
  if (!("storage" in attribute) || attribute.storage?.kind !== "link") return [];
  const { table, tableConst, inverseOrdered } = attribute.storage;
  return [
    {
      linkConst: tableConst,
      link: stringLiteral(table),
      files: attribute.kind === "media",
      morph: attribute.kind === "relation" && attribute.relation === "morphToMany",
      inverseOrdered,
    },
  ];
};

/** `<type>/table.ts`: the Drizzle table of a content type, and its link tables. */
export const emitTables: Emitter = ({ model, attributesOf }) =>
  model.contentTypes.map((type: ContentType) => ({
    path: `${type.names.folder}/table.ts`,
    text: render("table.ts", {
      source: sourceLine(type.file),
      tableConst: type.names.tableConst,
      table: stringLiteral(type.names.table),
      localized: type.localized,
      attributes: attributesOf(type),
      links: type.attributes.flatMap(linkView),
    }),
  }));
