/**
 * Content as leaves, keyed by place and kind: a value of another kind at the same place is another leaf. Fields in
 * component entries are leaves too, and so is the list of entries.
 */
import { isJson as holdsEntries, type Json as Holder } from "../../../migrate/components/stored-entries.ts";
import { isMany } from "../../../migrate/names/meaning.ts";
import type { AttributeOutline, Snapshot } from "../../../migrate/snapshot.ts";

export type Json = null | boolean | number | string | readonly Json[] | Values;
export interface Values {
  readonly [name: string]: Json;
}
export type Leaves = ReadonlyMap<string, Json>;

type Attributes = readonly (readonly [name: string, attribute: AttributeOutline])[];
type Entries = readonly (readonly [string, Json])[];

const TAB = "\t";

/** A leaf's place, whatever its kind. */
export const placeOf = (leaf: string): string => leaf.slice(0, leaf.indexOf(TAB));

export const isEntries = (leaf: string): boolean => leaf.endsWith(`${TAB}entries`);

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const isValues = (value: Json): value is Values => typeof value === "object" && value !== null && !isList(value);

const kindOf = (attribute: AttributeOutline): string => {
  if (holdsEntries(attribute)) return "entries";
  if (attribute.kind === "scalar") return attribute.type;
  return attribute.kind === "media" ? `media ${attribute.multiple}` : `${attribute.relation} ${attribute.target}`;
};

const leafOf = (prefix: string, name: string, attribute: AttributeOutline): string =>
  `${prefix}${name}${TAB}${kindOf(attribute)}`;

const uidIn = (holder: Holder, { __component: uid }: Values): string =>
  holder.kind === "component" ? holder.component : String(uid);

/** Columns as attributes; a column without an attribute keeps its SQL type. Documents have the existing types. */
const attributesOf = ({ contentTypes, tables }: Snapshot, table: string): Attributes => {
  const own = Object.values(contentTypes).flatMap((type) =>
    type.table === table ? Object.values(type.attributes) : [],
  );
  return Object.entries(tables[table]?.columns ?? {}).flatMap(([column, { type, computed }]): Attributes => {
    if (computed !== undefined) return [];
    const found = own.find((each) => each.column === column || ("typeColumn" in each && each.typeColumn === column));
    if (found && found.kind !== "scalar") return [[column, found]];
    const values = table === "documents" && column === "type" ? Object.keys(contentTypes) : found?.enum;
    const scalar = { kind: "scalar", type: `${found?.type} ${type}`, column, ...(values && { enum: values }) } as const;
    return [[column, scalar]];
  });
};

/** The places that a table has for content. */
export class Shape {
  readonly attributes: Attributes;
  /** The leaf that marks a row as present: rows of other locales, drafts and links to other targets move as a whole. */
  readonly row: string;
  /** The components that entries may be of. */
  readonly components: Snapshot["components"];

  constructor(snapshot: Snapshot, table: string) {
    const types = Object.values(snapshot.contentTypes);
    const type = types.find((each) => each.table === table);
    const all = types.flatMap(({ attributes }) => Object.values(attributes));
    const link = all.find((each) => "link" in each && each.link === table);
    this.row = `${TAB}${type ? `${type.draftAndPublish} ${type.localized}` : link && kindOf(link)}`;
    this.attributes = attributesOf(snapshot, table);
    this.components = this.attributes.some(([, attribute]) => holdsEntries(attribute)) ? snapshot.components : {};
  }

  #fieldsOf(uid: string): Attributes {
    return Object.entries(this.components[uid]?.attributes ?? {});
  }

  /** @param row the texts of its columns */
  leavesOf(row: Values | undefined): Leaves {
    return new Map(row ? [[this.row, true], ...this.#leavesIn(this.attributes, row, "")] : []);
  }

  #leavesIn(attributes: Attributes, values: Values, prefix: string): Entries {
    return attributes.flatMap(([name, attribute]): Entries => {
      const { [name]: value = null } = values;
      const leaf = leafOf(prefix, name, attribute);
      if (value === null) return [];
      if (!holdsEntries(attribute)) return [[leaf, value]];
      const parsed: Json = typeof value === "string" ? JSON.parse(value) : value;
      const entries = (isList(parsed) ? parsed : [parsed]).filter(isValues);
      const within = entries.flatMap((entry) =>
        this.#leavesIn(this.#fieldsOf(uidIn(attribute, entry)), entry, `${prefix}${name}/${entry["id"]}/`),
      );
      return [[leaf, entries.map((entry) => `${entry["id"]} ${uidIn(attribute, entry)}`)], ...within];
    });
  }

  /** The texts of the non-null columns; undefined if the table has no place for the row. */
  rowOf(leaves: Leaves): Values | undefined {
    if (!leaves.has(this.row)) return undefined;
    const texts = Object.entries(this.#valuesIn(this.attributes, leaves, "")).flatMap(([name, value]): Entries => {
      if (value === null) return [];
      return [[name, typeof value === "object" ? JSON.stringify(value) : value]];
    });
    return Object.fromEntries(texts);
  }

  #valuesIn(attributes: Attributes, leaves: Leaves, prefix: string): Values {
    const values = attributes.flatMap(([name, attribute]): Entries => {
      const value = leaves.get(leafOf(prefix, name, attribute));
      if (value === undefined) return [];
      if (holdsEntries(attribute)) return [[name, this.#entriesIn(attribute, leaves, `${prefix}${name}/`, value)]];
      const hasRoom = attribute.kind !== "scalar" || attribute.enum?.includes(String(value)) !== false;
      return hasRoom ? [[name, value]] : [];
    });
    return Object.fromEntries(values);
  }

  /** The leaves that the table has a place for. */
  #entriesIn(holder: Holder, leaves: Leaves, prefix: string, ids: Json): Json {
    const isZone = holder.kind === "dynamiczone";
    const allowed = isZone ? holder.components : [holder.component];
    const entries = (isList(ids) ? ids : [])
      .map((each) => String(each).split(" "))
      .filter(([, uid = ""]) => allowed.includes(uid) && this.components[uid])
      .map(([id = "", uid = ""]) => ({
        ...(isZone ? { __component: uid } : {}),
        id: Number(id),
        ...this.#valuesIn(this.#fieldsOf(uid), leaves, `${prefix}${id}/`),
      }));
    return isMany(holder) ? entries : (entries[0] ?? null);
  }
}
