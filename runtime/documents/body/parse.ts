/** Reads the data of a body in one walk: casts its values, and takes it apart into plain values, links and components. */
import { isRecord } from "../../base/is-record.ts";
import type { Attribute, ComponentUid, Field, MediaKind } from "../../schema/content-type.ts";
import type { Data, Path } from "../../schema/validation/check.ts";
import { holds } from "../../schema/validation/condition.ts";
import { fileTypesOf, membersOf, type Schema } from "../../schema/validation/members.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { readRelation, type RelationChange } from "./relation-value.ts";

/** The data of a document or of a component's entry. What the body does not name is in none of the maps. */
export interface ParsedItem {
  /** All of it, with every value cast to its attribute's type. */
  readonly data: Data;
  /** The kind of entry of a dynamic zone. */
  readonly component?: ComponentUid;
  readonly scalars: ReadonlyMap<string, unknown>;
  readonly links: ReadonlyMap<string, RelationChange>;
  /** A single component is a list of at most one. */
  readonly components: ReadonlyMap<string, readonly ParsedItem[]>;
}

/** Files that a body puts into an attribute that takes some kinds of files only. */
export interface FileUse {
  /** Where the attribute stands in the body. */
  readonly path: Path;
  readonly change: RelationChange;
  readonly types: readonly MediaKind[];
}

/** What is wanted of a walk, and what it finds on its way. */
export interface Reading {
  readonly services: WriteServices;
  /** Whether what is absent gets its default. */
  readonly defaults: boolean;
  /** Values come from the database: they have been cast, and their links are none of a body's. */
  readonly stored?: true;
  /** The paths of attributes that are not checked: their condition is false, or what they hold is a stored hash. */
  readonly unchecked: Path[];
  readonly files: FileUse[];
  hasPassword: boolean;
}

export const isComponentUid = (uid: string): uid is ComponentUid => uid.includes(".");

/** The uid that an entry of a zone names, where that component exists. */
export const componentUid = (services: WriteServices, entry: unknown): ComponentUid | undefined => {
  const uid = isRecord(entry) ? entry["__component"] : undefined;
  if (typeof uid !== "string" || !isComponentUid(uid)) return undefined;
  return Object.hasOwn(services.registry.components, uid) ? uid : undefined;
};

/** A content type or component, with its schema. */
interface Described {
  readonly owner: Attributed;
  readonly schema: Schema;
  /** Of an entry in a zone. */
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

/** What has no parts is no entry at all. */
const dataOf = (entry: unknown, item: ParsedItem | undefined): unknown =>
  item?.data ?? (typeof entry === "object" ? entry : null);

/** An empty list leaves links to documents of any type as they are; `{ "set": [] }` clears them. */
const isNothing = (attribute: Attribute | Field, value: unknown): boolean =>
  attribute.type === "relation" && attribute.relation === "morphToMany" && Array.isArray(value) && value.length === 0;

/** Reads a document or entry. Nothing is refused: what does not fit stays as it is, for the schemas to judge. */
export const readItem = (
  reading: Reading,
  { owner, schema, component }: Described,
  sent: Data,
  path: Path,
): ParsedItem => {
  const { defaults, stored } = reading;
  const members = membersOf(schema);
  const data: Record<string, unknown> = { ...sent };
  const scalars = new Map<string, unknown>();
  const links = new Map<string, RelationChange>();
  const components = new Map<string, readonly ParsedItem[]>();
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    const member = members.get(name);
    const isGiven = Object.hasOwn(sent, name);
    // One that is left out may have a default to be hashed.
    if (attribute.type === "password" && (isGiven || member?.default !== undefined)) reading.hasPassword = true;
    if (!isGiven && !(defaults && member?.default !== undefined)) continue;
    const value = isGiven ? sent[name] : member?.default;
    switch (attribute.type) {
      case "relation":
      case "media": {
        if (stored) break;
        const change = readRelation(value);
        if (change === undefined || isNothing(attribute, value)) break;
        links.set(name, change);
        const types = fileTypesOf(member);
        if (types) reading.files.push({ path: [...path, name], change, types });
        break;
      }
      case "component":
      case "dynamiczone": {
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
          // A list in place of a single entry is refused, as is an entry in place of a list.
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
  for (const [name, { condition }] of members) {
    if (condition !== undefined && !holds(condition, data)) reading.unchecked.push([...path, name]);
  }
  return { data, ...(component === undefined ? {} : { component }), scalars, links, components };
};

/** The data of a body with every link in its long form, as error details show it. */
export const shownData = ({ data, links, components }: ParsedItem): Data => {
  const shown: Record<string, unknown> = { ...data };
  for (const [name, change] of links) shown[name] = change.shown;
  for (const [name, items] of components) {
    const [first] = items;
    if (first) shown[name] = Array.isArray(data[name]) ? items.map(shownData) : shownData(first);
  }
  return shown;
};
