/** Determines where attributes are stored: columns, link tables, or the other side. */
import { identifier } from "../../runtime/base/identifier.ts";
import type { Names } from "./assign-names.ts";
import type { ColumnStorage, LinkStorage } from "./model.ts";
import { camelCase, snakeCase } from "./names.ts";
import { Namespace } from "./namespace.ts";
import type { PreparedAttribute } from "./prepared.ts";
import type { Side } from "./relations.ts";
import { SYSTEM_FIELDS } from "./reserved.ts";

/** The suffix of `attribute`'s column; undefined if it has none. */
const columnSuffix = (attribute: PreparedAttribute, side: Side | undefined): readonly string[] | undefined => {
  switch (attribute.type) {
    case "media":
      return attribute.multiple === true ? undefined : ["id"];
    case "relation": {
      const toOne = ["oneToOne", "manyToOne", "morphToOne"].includes(attribute.relation);
      return toOne && side?.role !== "inverse" ? ["document_id"] : undefined;
    }
    default:
      return [];
  }
};

/**
 * Assigns storage to the attributes of one content type. Columns are named in attribute order, so appending an
 * attribute renames none.
 *
 * @param sideOf returns how a relation is stored
 */
export const createStorage = (
  owner: string,
  attributes: ReadonlyMap<string, PreparedAttribute>,
  sideOf: (attribute: string) => Side | undefined,
  { tables, constants }: Pick<Names, "tables" | "constants">,
) => {
  const columns = new Map<string, string>();
  const columnNames = new Namespace(SYSTEM_FIELDS.map(snakeCase));
  const keys = new Namespace([...SYSTEM_FIELDS, ...attributes.keys()]);
  for (const [name, attribute] of attributes) {
    const suffix = columnSuffix(attribute, sideOf(name));
    if (suffix) columns.set(name, columnNames.take(identifier(snakeCase(name), ...suffix)));
  }
  /** The column of a scalar, component or dynamic zone. */
  const column = (name: string): string => columns.get(name) ?? snakeCase(name);
  return {
    column,
    /** The column of a single file or of a relation to one document. */
    reference: (name: string, extras: { readonly position: boolean; readonly type: boolean }): ColumnStorage => ({
      kind: "column",
      column: column(name),
      positionColumn: extras.position ? columnNames.take(identifier(snakeCase(name), "position")) : undefined,
      positionKey: extras.position ? keys.take(`${name}Position`) : undefined,
      typeColumn: extras.type ? columnNames.take(identifier(snakeCase(name), "type")) : undefined,
      typeKey: extras.type ? keys.take(`${name}Type`) : undefined,
    }),
    /** The table that links versions with documents or files. */
    link(name: string, inverseOrdered: boolean): LinkStorage {
      const wanted = identifier(owner, snakeCase(name));
      const table = tables.take(wanted, identifier(wanted, "links"));
      const tableConst = constants.take(camelCase(table), `${camelCase(table)}Links`);
      const relationsConst = constants.take(`${tableConst}Relations`);
      return { kind: "link", table, tableConst, relationsConst, inverseOrdered };
    },
  };
};

export type TypeStorage = ReturnType<typeof createStorage>;
