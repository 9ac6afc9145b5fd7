import { type DescribedAttribute, describe } from "../attributes/catalogue.ts";
import { type ColumnIndex, modules } from "../attributes/entry.ts";
import { call, code, array, type Expression, text } from "../attributes/expression.ts";
import { property, stringLiteral } from "../attributes/literal.ts";
import { memberLine, printExpression } from "../attributes/print.ts";
import type { Attribute, ContentType, LinkStorage } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

interface Link {
  readonly attribute: Attribute;
  readonly storage: LinkStorage;
}

const linksOf = ({ attributes }: ContentType): readonly Link[] =>
  attributes.flatMap((attribute) =>
    "storage" in attribute && attribute.storage?.kind === "link" ? [{ attribute, storage: attribute.storage }] : [],
  );

const spread = (builder: string, ...args: readonly Expression[]): Expression => call(`...${builder}`, ...args);

const column = (key: string): Expression => code(property("version", key));

/** The indexes of a table, as the body of the callback. */
const indexes = (type: ContentType, described: readonly DescribedAttribute[], scope: FileScope): string => {
  const table = text(type.names.table);
  const builder = (name: string): string => scope.value(modules.columns, name);
  const index = (each: ColumnIndex): Expression => {
    switch (each.purpose) {
      case "unique":
        return call(builder("uniqueAmongPublished"), table, column(each.key), code("version"));
      case "inverse":
        return call(builder("inverseIndex"), table, column(each.key), column(each.positionKey));
      case "lookup":
        return call(builder("columnIndex"), table, column(each.key));
    }
  };
  const list = array([
    spread(builder("versionIndexes"), table, code("version")),
    ...described.flatMap((attribute) => attribute.indexes()).map(index),
  ]);
  const head = "  (version) => ";
  return `${head}${printExpression(list, { indent: 2, column: head.length, after: 1 })},`;
};

const linkColumns = ({ attribute, storage }: Link, type: ContentType, scope: FileScope): readonly string[] => {
  const isMedia = attribute.kind === "media";
  const isMorph = attribute.kind === "relation" && attribute.relation === "morphToMany";
  const builder = (name: string) => scope.value(modules.columns, name);
  const columns = builder(isMedia ? "fileLinkColumns" : "linkColumns");
  const version = `(): ${scope.type(modules.pgCore, "AnyPgColumn")} => ${type.names.tableConst}.id`;
  return [
    `...${columns}(${version}),`,
    ...(isMorph ? [`documentType: ${builder("morphType")}("document_type"),`] : []),
    ...(storage.inverseOrdered ? [`inversePosition: ${builder("inversePosition")}("inverse_position"),`] : []),
  ];
};

const emitTable = (type: ContentType, scope: FileScope): string => {
  const described = type.attributes.map(describe);
  const links = linksOf(type);
  const systemColumns = [
    `...${scope.value(modules.columns, "versionColumns")}(),`,
    ...(type.localized ? [`...${scope.value(modules.columns, "localeColumn")}(),`] : []),
  ];
  const view = {
    source: sourceLine(type.file),
    pgTable: scope.value(modules.pgCore, "pgTable"),
    tableConst: type.names.tableConst,
    table: stringLiteral(type.names.table),
    columns: [
      ...systemColumns,
      ...described.flatMap((attribute) => attribute.columns(scope)).map((column) => memberLine(column, 4)),
    ],
    indexes: indexes(type, described, scope),
    links: links.map((link) => ({
      linkConst: link.storage.tableConst,
      link: stringLiteral(link.storage.table),
      linkColumns: linkColumns(link, type, scope),
      linkIndexes: scope.value(modules.columns, "linkIndexes"),
    })),
  };
  return render("table.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/table.ts`: the Drizzle table of a content type, and its link tables. */
export const emitTables: Emitter = ({ model, index }) =>
  model.contentTypes.map((type) => {
    const path = `${type.names.folder}/table.ts`;
    const declared = [type.names.tableConst, ...linksOf(type).map(({ storage }) => storage.tableConst)];
    return { path, text: emitTable(type, fileScope(path, declared, index)) };
  });
