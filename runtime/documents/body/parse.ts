/** Parses the data of a body: casts values, and separates links and components. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type {
  Attribute,
  ComponentUid,
  Field,
  MediaField,
  RelationField,
  ScalarField,
} from "../../schema/content-type.ts";
import { CASTS } from "../../schema/validation/casting.ts";
import type { Data, FieldError, Path } from "../../schema/validation/check.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import { readRelation, type RelationChange } from "../../schema/validation/relation-value.ts";
import { type Attributed, isMany } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { storageFault, typeFault } from "./storable.ts";

/** The parsed data of a document or component entry. The maps contain only attributes that the body names. */
export interface ParsedItem {
  /** The complete data, with each value cast to its attribute's type. */
  readonly data: Data;
  readonly links: ReadonlyMap<string, RelationChange>;
  /** The entries by attribute; a single component has at most one. */
  readonly components: ReadonlyMap<string, readonly ParsedEntry[]>;
}

/** A parsed entry of a component or dynamic zone. */
export interface ParsedEntry extends ParsedItem {
  readonly component: ComponentUid;
}

/** Files that a body gives to an attribute that allows only certain kinds of files. */
export interface FileUse {
  /** The path of the attribute in the body. */
  readonly path: Path;
  readonly change: RelationChange;
  readonly types: NonNullable<MediaField["allowedTypes"]>;
}

/** A value that cannot be cast. */
export interface CastFault {
  readonly path: Path;
  readonly error: ValidationError;
}

/** What parsing collects. */
export interface Reading {
  readonly services: WriteServices;
  readonly files: FileUse[];
  readonly uncast: CastFault[];
  readonly infinite: Path[];
  /** The paths of required lists that are null. */
  readonly missingLists: Path[];
  /** The faults of values that cannot be stored. */
  readonly unstorable: FieldError[];
  /** The paths of links whose value refers to nothing. */
  readonly invalidLinks: Path[];
  hasPassword: boolean;
}

export const isComponentUid = (uid: string): uid is ComponentUid => uid.includes(".");

/** The component that an entry of a zone names; undefined if it does not exist. */
export const componentUid = (services: Pick<WriteServices, "registry">, entry: unknown): ComponentUid | undefined => {
  const uid = isRecord(entry) ? entry["__component"] : undefined;
  if (typeof uid !== "string" || !isComponentUid(uid)) return undefined;
  return Object.hasOwn(services.registry.components, uid) ? uid : undefined;
};

/** A content type or component. */
interface Described {
  readonly owner: Attributed;
  /** The schema to satisfy on publication. */
  readonly schema: Schema;
}

type Scalar = Extract<Attribute | Field, ScalarField>;
type EntriesField = Extract<Attribute | Field, { type: "component" | "dynamiczone" }>;

const isList = (attribute: EntriesField): boolean => attribute.type === "dynamiczone" || attribute.repeatable === true;

/** An item during parsing. */
interface Parsing {
  readonly reading: Reading;
  readonly schema: Schema;
  readonly path: Path;
  readonly data: Record<string, unknown>;
  readonly links: Map<string, RelationChange>;
  readonly components: Map<string, readonly ParsedEntry[]>;
}

const readEntry = (reading: Reading, attribute: EntriesField, entry: unknown, path: Path): ParsedEntry | undefined => {
  const { services } = reading;
  const uid = attribute.type === "dynamiczone" ? componentUid(services, entry) : attribute.component;
  const module = uid === undefined ? undefined : services.registry.components[uid];
  if (!isRecord(entry) || uid === undefined || !module) return undefined;
  const described = { owner: module.component, schema: module.validator };
  return { ...readItem(reading, described, entry, path), component: uid };
};

/** Entries that cannot be parsed stay unchanged, and the schema refuses them. Null is an empty list. */
const readEntries = (parsing: Parsing, name: string, attribute: EntriesField): void => {
  const { reading, schema, path, data, components } = parsing;
  const isMissing = isList(attribute) && data[name] === null;
  if (isMissing && membersOf(schema).get(name)?.required) reading.missingLists.push([...path, name]);
  const value = isMissing ? [] : data[name];
  if (!isList(attribute) || !Array.isArray(value)) {
    const at = [...path, name];
    const entry = isList(attribute) ? undefined : readEntry(reading, attribute, value, at);
    if (!entry && value !== null && value !== undefined)
      reading.unstorable.push(typeFault(isList(attribute) ? "array" : "object", at, value));
    data[name] = entry?.data ?? value;
    components.set(name, entry ? [entry] : []);
    return;
  }
  const entries = value.map((entry: unknown, index) => {
    const at = [...path, name, index];
    const read = readEntry(reading, attribute, entry, at);
    if (!read && attribute.type === "component") reading.unstorable.push(typeFault("object", at, entry));
    return read;
  });
  data[name] = entries.map((each, index): unknown => each?.data ?? value[index]);
  components.set(
    name,
    entries.filter((each) => each !== undefined),
  );
};

/**
 * The relations that an empty list leaves unchanged: both sides of relations to any type. `{ "set": [] }` clears one.
 */
const UNCHANGED: ReadonlySet<string> = new Set(["morphToMany", "morphOne", "morphMany"]);

const isNothing = (attribute: RelationField | MediaField, value: unknown): boolean =>
  attribute.type === "relation" && UNCHANGED.has(attribute.relation) && Array.isArray(value) && value.length === 0;

const readLink = ({ reading, path, data, links }: Parsing, name: string, attribute: RelationField | MediaField) => {
  const value = data[name];
  const change = readRelation(value);
  if (change === undefined) delete data[name];
  else if (change.set?.length === 0) data[name] = isMany(attribute) ? [] : null;
  if (change === undefined || isNothing(attribute, value)) return;
  links.set(name, change);
  if ([...(change.set ?? []), ...change.connect, ...change.disconnect].some(({ invalid }) => invalid))
    reading.invalidLinks.push([...path, name]);
  if (attribute.type === "media" && attribute.allowedTypes)
    reading.files.push({ path: [...path, name], change, types: attribute.allowedTypes });
};

const readScalar = ({ reading, path, data }: Parsing, name: string, attribute: Scalar): void => {
  const { type } = attribute;
  try {
    const value = CASTS[type](data[name]);
    data[name] = value;
    if (value === Infinity || value === -Infinity) {
      // Limits are checked too; no column accepts the largest number either.
      data[name] = Math.sign(value) * Number.MAX_VALUE;
      if (type !== "integer") reading.infinite.push([...path, name]);
    }
    const fault = storageFault(attribute, data[name], [...path, name]);
    if (fault) reading.unstorable.push(fault);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    reading.uncast.push({ path: [...path, name], error });
  }
};

const readMember = (parsing: Parsing, name: string, attribute: Attribute | Field): void => {
  const { reading, data, schema } = parsing;
  const isGiven = Object.hasOwn(data, name);
  // Also if it is missing but has a default, which must be hashed.
  if (attribute.type === "password" && (isGiven || membersOf(schema).get(name)?.default !== undefined))
    reading.hasPassword = true;
  if (!isGiven) return;
  switch (attribute.type) {
    case "relation":
    case "media":
      return readLink(parsing, name, attribute);
    case "component":
    case "dynamiczone":
      return readEntries(parsing, name, attribute);
    default:
      return readScalar(parsing, name, attribute);
  }
};

/** Many items have neither links nor components, and share these maps. */
const NO_LINKS: ParsedItem["links"] = new Map();
const NO_COMPONENTS: ParsedItem["components"] = new Map();

/** Parses a document or entry. Never fails: values of a wrong form stay unchanged, and the schemas report them. */
export const readItem = (reading: Reading, { owner, schema }: Described, sent: Data, path: Path): ParsedItem => {
  const data: Record<string, unknown> = { ...sent };
  const parsing = { reading, schema, path, data, links: new Map(), components: new Map() };
  const attributes: Attributed["attributes"] = owner.attributes;
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute) readMember(parsing, name, attribute);
  }
  const { links, components } = parsing;
  return {
    data,
    links: links.size === 0 ? NO_LINKS : links,
    components: components.size === 0 ? NO_COMPONENTS : components,
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
