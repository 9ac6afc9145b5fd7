/** Where attributes are stored: columns, link tables, the other side's storage. */
import { identifier } from "../../runtime/base/identifier.ts";
import type { ColumnStorage, LinkStorage } from "./model.ts";
import { camelCase, snakeCase } from "./names.ts";
import { Namespace } from "./namespace.ts";
import type { PreparedAttribute } from "./prepared.ts";
import type { Side } from "./relations.ts";
import { SYSTEM_FIELDS } from "./reserved.ts";

/** The suffix of the column of `attribute`; undefined when it has none. */
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

/** Storage of the attributes of one content type. */
export class TypeStorage {
  readonly #columns = new Map<string, string>();
  readonly #columnNames = new Namespace(SYSTEM_FIELDS.map(snakeCase));
  readonly #keys: Namespace;
  readonly #table: string;
  readonly #tables: Namespace;
  readonly #constants: Namespace;

  /**
   * Columns are given in the order of the attributes, so that an attribute added at the end renames none.
   * `sideOf` tells how a relation is stored.
   */
  constructor(
    table: string,
    attributes: ReadonlyMap<string, PreparedAttribute>,
    sideOf: (attribute: string) => Side | undefined,
    tables: Namespace,
    constants: Namespace,
  ) {
    this.#table = table;
    this.#tables = tables;
    this.#constants = constants;
    this.#keys = new Namespace([...SYSTEM_FIELDS, ...attributes.keys()]);
    for (const [name, attribute] of attributes) {
      const suffix = columnSuffix(attribute, sideOf(name));
      if (suffix) this.#columns.set(name, this.#columnNames.take(identifier(snakeCase(name), ...suffix)));
    }
  }

  /** The column of a scalar, component or dynamic zone. */
  column(name: string): string {
    return this.#columns.get(name) ?? snakeCase(name);
  }

  /** The column of a single file or of a relation to one document. */
  reference(name: string, extras: { readonly position: boolean; readonly type: boolean }): ColumnStorage {
    const snake = snakeCase(name);
    return {
      kind: "column",
      column: this.column(name),
      positionColumn: extras.position ? this.#columnNames.take(identifier(snake, "position")) : undefined,
      positionKey: extras.position ? this.#keys.take(`${name}Position`) : undefined,
      typeColumn: extras.type ? this.#columnNames.take(identifier(snake, "type")) : undefined,
      typeKey: extras.type ? this.#keys.take(`${name}Type`) : undefined,
    };
  }

  /** The table that links versions with documents or files. */
  link(name: string, inverseOrdered: boolean): LinkStorage {
    const wanted = identifier(this.#table, snakeCase(name));
    const table = this.#tables.take(wanted, identifier(wanted, "links"));
    const tableConst = this.#constants.take(camelCase(table), `${camelCase(table)}Links`);
    const relationsConst = this.#constants.take(`${tableConst}Relations`);
    return { kind: "link", table, tableConst, relationsConst, inverseOrdered };
  }
}
