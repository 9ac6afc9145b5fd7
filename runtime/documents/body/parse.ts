/** Parses the data of a body: casts values, and separates scalars, links and components. */
import { isRecord } from "../../base/is-record.ts";
import { remembering } from "../../base/remembering.ts";
import type { Attribute, ComponentUid, Field, MediaKind } from "../../schema/content-type.ts";
import type { Data, Path } from "../../schema/validation/check.ts";
import { holds } from "../../schema/validation/condition.ts";
import { fileTypesOf, membersOf, type Schema } from "../../schema/validation/members.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { readRelation, type RelationChange } from "./relation-value.ts";

/** The parsed data of a document or component entry. The maps contain only what the body names. */
export interface ParsedItem {
  /** The complete data, with each value cast to its attribute's type. */
  readonly data: Data;
  /** The component of an entry in a dynamic zone. */
  readonly component?: ComponentUid;
  readonly scalars: ReadonlyMap<string, unknown>;
  readonly links: ReadonlyMap<string, RelationChange>;
  /** The entries by attribute; a single component has at most one. */
  readonly components: ReadonlyMap<string, readonly ParsedItem[]>;
}

/** Files that a body gives to an attribute that allows certain kinds of files only. */
export interface FileUse {
  /** The path of the attribute in the body. */
  readonly path: Path;
  readonly change: RelationChange;
  readonly types: readonly MediaKind[];
}

/** Options for parsing a body, and what is collected on the way. */
export interface Reading {
  readonly services: WriteServices;
  /** Whether missing attributes get their defaults. */
  readonly defaults: boolean;
  /** Set if the data come from the database: values are already cast, and links are not those of a body. */
  readonly stored?: true;
  /** Paths of attributes that are not validated: their condition is false, or they hold a stored password hash. */
  readonly unchecked: Path[];
  readonly files: FileUse[];
  hasPassword: boolean;
}

export const isComponentUid = (uid: string): uid is ComponentUid => uid.includes(".");

/** The component that an entry of a zone names; undefined if it does not exist. */
export const componentUid = (services: WriteServices, entry: unknown): ComponentUid | undefined => {
  const uid = isRecord(entry) ? entry["__component"] : undefined;
  if (typeof uid !== "string" || !isComponentUid(uid)) return undefined;
  return Object.hasOwn(services.registry.components, uid) ? uid : undefined;
};

/** A content type or component, with its schema. */
interface Described {
  readonly owner: Attributed;
  readonly schema: Schema;
  /** The component, for an entry in a zone. */
  readonly component?: ComponentUid;
}

const entryReader =
  (reading: Reading, attribute: Extract<Attribute | Field, { type: "component" | "dynamiczone" }>) =>
  (entry: unknown, path: Path): ParsedItem | undefined => {
    const { services } = reading;
    const isZone = attribute.type === "dynamiczone";
    const uid = isZone ? componentUid(services, entry) : attribute.component;
    const module = uid === undefined ? undefined : services.registry.components[uid];
    if (!isRecord(entry) || uid === undefined || !module) return undefined;
    const described = { owner: module.component, schema: module.validator, ...(isZone ? { component: uid } : {}) };
    return readItem(reading, described, entry, path);
  };

/** The parsed data of an entry; values that cannot be parsed are returned unchanged. */
const dataOf = (entry: unknown, item: ParsedItem | undefined): unknown =>
  item?.data ?? (typeof entry === "object" ? entry : null);

/** Whether the value changes nothing: an empty list for a relation to any type. `{ "set": [] }` clears it. */
const isNothing = (attribute: Attribute | Field, value: unknown): boolean =>
  attribute.type === "relation" && attribute.relation === "morphToMany" && Array.isArray(value) && value.length === 0;

/** Many items have neither links nor components, and share these maps. */
const NO_LINKS: ParsedItem["links"] = new Map();
const NO_COMPONENTS: ParsedItem["components"] = new Map();

/** The attributes with what their schema says of them. They are the same for every body. */
const describedIn = remembering((schema: Schema) =>
  remembering((owner: Attributed) => {
    const members = membersOf(schema);
    return {
      attributes: Object.entries(owner.attributes).map(([name, each]) => [name, each, members.get(name)] as const),
      conditions: [...members].flatMap(([name, { condition }]) =>
        condition === undefined ? [] : [[name, condition] as const],
      ),
    };
  }),
);

/** Parses a document or entry. Refuses nothing: values of a wrong form stay unchanged, and the schemas report them. */
export const readItem = (
  reading: Reading,
  { owner, schema, component }: Described,
  sent: Data,
  path: Path,
): ParsedItem => {
  const { defaults, stored } = reading;
  const { attributes, conditions } = describedIn(schema)(owner);
  const data: Record<string, unknown> = { ...sent };
  const scalars = new Map<string, unknown>();
  let links: Map<string, RelationChange> | undefined;
  let components: Map<string, readonly ParsedItem[]> | undefined;
  for (const [name, attribute, member] of attributes) {
    const isGiven = Object.hasOwn(sent, name);
    // Also if it is left out but has a default, which must be hashed.
    if (attribute.type === "password" && (isGiven || member?.default !== undefined)) reading.hasPassword = true;
    if (!isGiven && !(defaults && member?.default !== undefined)) continue;
    const value = isGiven ? sent[name] : member?.default;
    switch (attribute.type) {
      case "relation":
      case "media": {
        if (stored) break;
        const change = readRelation(value);
        if (change === undefined || isNothing(attribute, value)) break;
        (links ??= new Map()).set(name, change);
        const types = fileTypesOf(member);
        if (types) reading.files.push({ path: [...path, name], change, types });
        break;
      }
      case "component":
      case "dynamiczone": {
        components ??= new Map();
        const read = entryReader(reading, attribute);
        const isList = attribute.type === "dynamiczone" || attribute.repeatable === true;
        if (isList && Array.isArray(value)) {
          const entries = value.map((entry: unknown, index) => read(entry, [...path, name, index]));
          data[name] = entries.map((each, index) => dataOf(value[index], each));
          components.set(
            name,
            entries.filter((each) => each !== undefined),
          );
        } else {
          // A list instead of a single entry, or the reverse, is left unparsed; the validator refuses it.
          const entry = isList ? undefined : read(value, [...path, name]);
          data[name] = entry?.data ?? value;
          components.set(name, entry ? [entry] : []);
        }
        break;
      }
      default: {
        const cast = member?.cast && !(stored && isGiven) ? member.cast(value) : value;
        data[name] = cast;
        scalars.set(name, cast);
        if (attribute.type === "password" && stored && typeof value === "string") {
          reading.unchecked.push([...path, name]);
        }
      }
    }
  }
  for (const [name, condition] of conditions) {
    if (!holds(condition, data)) reading.unchecked.push([...path, name]);
  }
  return {
    data,
    ...(component === undefined ? {} : { component }),
    scalars,
    links: links ?? NO_LINKS,
    components: components ?? NO_COMPONENTS,
  };
};

/** The data with every link in its long form, for error details. */
export const shownData = ({ data, links, components }: ParsedItem): Data => {
  const shown: Record<string, unknown> = { ...data };
  for (const [name, change] of links) shown[name] = change.shown;
  for (const [name, items] of components) {
    const [first] = items;
    if (first) shown[name] = Array.isArray(data[name]) ? items.map(shownData) : shownData(first);
  }
  return shown;
};
