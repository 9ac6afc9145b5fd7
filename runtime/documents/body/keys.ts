/** Checks the keys of a body. An unknown or forbidden key is a 400 that names it. */
import { isListed } from "../../access/field-lists.ts";
import { invalidKey, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ComponentUid, ContentType, RelationAttribute, RelationField, Uid } from "../../schema/content-type.ts";
import { fileType } from "../../schema/file-type.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteContext } from "../context.ts";
import { isComponentUid } from "./parse.ts";

const IDENTITY = ["id", "documentId"];
const SYSTEM = new Set(["createdAt", "updatedAt", "createdBy", "updatedBy", "localizations"]);
/** Keys that are accepted and ignored: the server sets `publishedAt`, and the query sets `locale`. */
const IGNORED = new Set(["publishedAt", "locale"]);
const RELATION_KEYS = new Set(["connect", "disconnect", "set", "options"]);
const ITEM_KEYS = new Set(["id", "documentId", "locale", "__type", "position"]);

const refuse = (key: string, path: string | null): ValidationError => invalidKey(key, { path, source: "body" });

/** Counts how many more component entries a body may have. */
class Entries {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws ValidationError when there are too many entries */
  add(count: number, path: string): void {
    this.#count += count;
    if (this.#count <= this.#most) return;
    const message = `Invalid key ${path}. A body may have at most ${this.#most} entries of components`;
    throw new ValidationError(message, { key: path.split(".").at(-1) ?? path, path, source: "body" });
  }
}

/** The maximum number of entries in one body. Application code has no limit. */
const mostEntries = ({ services, caller }: WriteContext): number =>
  caller.kind === "system" ? Infinity : services.config.limits.componentEntries;

interface KeyContext extends WriteContext {
  readonly entries: Entries;
}

/**
 * Refuses keys that `caller` may not write into a document of `type`. Attributes with `writable: false` can be written
 * by application code only.
 */
export const checkKeys = (writing: WriteContext, type: ContentType, data: Readonly<Record<string, unknown>>): void => {
  const context = { ...writing, entries: new Entries(mostEntries(writing)) };
  for (const key of IDENTITY) {
    if (key in data) throw new ValidationError(`Invalid key ${key}`, { key, source: "body" });
  }
  for (const [key, value] of Object.entries(data)) {
    if (SYSTEM.has(key)) throw refuse(key, key);
    if (IGNORED.has(key)) continue;
    checkAttribute(context, type, key, value);
  }
};

const checkAttribute = (context: KeyContext, type: ContentType, key: string, value: unknown): void => {
  const { fields } = context.caller;
  if (fields && Object.hasOwn(type.attributes, key) && !isListed(fields, type.uid, key, "write"))
    throw refuse(key, key);
  checkMember(context, type, key, value, "");
};

/**
 * Whether `caller` may write an attribute with a value that the document has in another locale, however long the value
 * is.
 */
export const mayWrite = (writing: WriteContext, type: ContentType, key: string, value: unknown): boolean => {
  try {
    checkAttribute({ ...writing, entries: new Entries(Infinity) }, type, key, value);
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
};

const checkMember = (context: KeyContext, owner: Attributed, key: string, value: unknown, parent: string): void => {
  const attribute = Object.hasOwn(owner.attributes, key) ? owner.attributes[key] : undefined;
  const path = parent === "" ? key : `${parent}.${key}`;
  if (!attribute) throw refuse(key, parent === "" ? null : parent);
  if (attribute.writable === false && context.caller.kind !== "system") throw refuse(key, path);
  switch (attribute.type) {
    case "relation":
      return checkRelation(context, attribute, key, value, path);
    case "media":
      return checkItems(fileType, value, path);
    case "component":
      return checkEntries(context, value, path, attribute.component);
    case "dynamiczone":
      return checkEntries(context, value, path, undefined);
    default:
  }
};

/** Checks entries. `uid` is the component of all entries; undefined if each entry names its own, as in a zone. */
const checkEntries = (context: KeyContext, value: unknown, path: string, uid: ComponentUid | undefined): void => {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  context.entries.add(entries.length, path);
  for (const entry of entries) {
    if (Array.isArray(value) && Array.isArray(entry) && entry.length > 0) throw refuse("0", path);
    if (!isRecord(entry)) continue;
    const component = componentOf(context, uid ?? entry["__component"]);
    // The validator refuses entries of unknown components.
    if (!component) continue;
    for (const [key, member] of Object.entries(entry)) {
      if (IDENTITY.includes(key) || (key === "__component" && uid === undefined)) continue;
      checkMember(context, component, key, member, path);
    }
  }
};

const componentOf = ({ services }: WriteContext, uid: unknown) =>
  typeof uid === "string" && isComponentUid(uid) ? services.registry.components[uid]?.component : undefined;

const checkRelation = (
  context: WriteContext,
  attribute: RelationAttribute | RelationField,
  key: string,
  value: unknown,
  path: string,
): void => {
  const target: Uid | undefined = "target" in attribute ? attribute.target : undefined;
  if (target !== undefined && !context.caller.can(`${target}.find`)) throw refuse(key, path);
  // The inverse side of a relation to any type cannot be written. An empty list is ignored, as in the wire format.
  if ("morphBy" in attribute && Array.isArray(value) && value.length === 0) return;
  if ("morphBy" in attribute) throw refuse(key, path);
  if (attribute.relation === "morphToOne" && context.caller.kind !== "system") throw refuse(key, path);
  if (target === undefined) return checkTypes(context, key, value, path);
  checkItems(context.services.registry.contentType(target), value, path);
};

/** Checks the items of a relation or media attribute, in any of their forms. */
const checkItems = (target: Attributed, value: unknown, path: string): void => {
  for (const item of items(value)) {
    if (Array.isArray(item) && item.length > 0) throw refuse("0", path);
    if (!isRecord(item) || Object.keys(item).some((name) => RELATION_KEYS.has(name))) {
      if (isRecord(item)) checkItemKeys(target, item, path, RELATION_KEYS);
      continue;
    }
    checkItemKeys(target, item, path, ITEM_KEYS);
  }
};

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Checks the keys of a relation's item. It may also repeat attributes of the target, which are ignored. */
const checkItemKeys = (
  { attributes }: Attributed,
  item: Readonly<Record<string, unknown>>,
  path: string,
  known: ReadonlySet<string>,
): void => {
  for (const key of Object.keys(item)) {
    if (!known.has(key) && !ITEM_KEYS.has(key) && !Object.hasOwn(attributes, key)) throw refuse(key, path);
  }
};

/** Items of a relation to any type name their target's type; the caller must be allowed to read that type. */
const checkTypes = ({ services, caller }: WriteContext, key: string, value: unknown, path: string): void => {
  const isChange = isRecord(value) && ["set", "connect", "disconnect"].some((name) => name in value);
  for (const name of isChange ? Object.keys(value) : []) {
    if (!RELATION_KEYS.has(name) && !ITEM_KEYS.has(name)) throw refuse(name, key);
  }
  const listed = isRecord(value)
    ? isChange
      ? [value["set"], value["connect"], value["disconnect"]].flatMap(items)
      : [value]
    : items(value);
  for (const item of listed) {
    if (item === null || item === undefined || (isRecord(item) && Object.keys(item).length === 0)) continue;
    const type = isRecord(item) ? item["__type"] : undefined;
    if (typeof type !== "string" || !services.registry.has(type) || !caller.can(`${type}.find`))
      throw refuse(key, path);
  }
};
