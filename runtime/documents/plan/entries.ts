/** The entries of components and dynamic zones: their JSON, and their ids, which come from one sequence. */
import { sql } from "drizzle-orm";
import { ApplicationError, HttpError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { type Bound, numberOf, send, statementOf, type Value } from "../../database/database.ts";
import { componentIds, documents } from "../../schema/columns.ts";
import type { Attribute, Field, Json } from "../../schema/content-type.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import { isComponent, isMany } from "../attributes.ts";
import { isComponentUid, type ParsedItem, type ParsedEntry } from "../body/parse.ts";
import type { Targets } from "../body/references.ts";
import type { ComponentIds, WriteServices } from "../context.ts";
import { toMany, toOne } from "../links/changes.ts";
import { value } from "../sql/version.ts";
import { toJson } from "./values.ts";

/** A stored entry: its id, in zones its `__component`, and every attribute. */
export type Entry = Readonly<Record<string, Json>>;

export interface EntryContext {
  readonly services: WriteServices;
  readonly targets: Targets;
  readonly nextId: () => number;
}

export const isEntry = (value: unknown): value is Record<string, Json> => isRecord(value);

/** The JSON of a column with entries. */
export const parsed = (stored: Value | undefined): unknown =>
  stored === null || stored === undefined ? null : JSON.parse(String(stored));

/** The entries in a stored value: a list, or a single entry. */
const entriesOf = (stored: unknown): readonly Entry[] => {
  const value: unknown = typeof stored === "string" ? JSON.parse(stored) : stored;
  return (Array.isArray(value) ? value : [value]).filter(isEntry);
};

const notRelated = (name: string, isZone: boolean): HttpError => {
  const message = `Some of the provided components in ${name} are not related to the entity`;
  return isZone ? new HttpError(400, "Error", message, null) : new ApplicationError(message);
};

const storedIdentity = (entry: Entry): string => `${String(entry["__component"] ?? "")}:${String(entry["id"])}`;

/**
 * The new JSON value of a component or zone attribute: entries with an id change the stored ones, the others are new.
 * If the owner is new, `stored` is undefined; ids are then ignored, and every entry is new.
 */
export const buildEntries = (
  context: EntryContext,
  name: string,
  attribute: EntriesField,
  items: readonly ParsedEntry[],
  stored: unknown,
): Json => {
  const isZone = attribute.type === "dynamiczone";
  const known = new Map(entriesOf(stored).map((entry) => [storedIdentity(entry), entry]));
  // The identity of the stored entry that an entry changes.
  const changedBy = ({ component, data }: ParsedEntry): string | undefined =>
    data["id"] === undefined || stored === undefined ? undefined : `${isZone ? component : ""}:${String(data["id"])}`;
  // If the body names an entry twice, both changes apply, and it keeps the position of the first.
  const entries = new Map<unknown, Entry>();
  for (const item of items) {
    const changed = changedBy(item);
    const present = changed === undefined ? undefined : (entries.get(changed) ?? known.get(changed));
    if (changed !== undefined && !present) throw notRelated(name, isZone);
    entries.set(changed ?? item, buildEntry(context, item, present, isZone));
  }
  const list = [...entries.values()];
  return isZone || attribute.repeatable ? list : (list.at(-1) ?? null);
};

const buildEntry = (context: EntryContext, item: ParsedEntry, stored: Entry | undefined, isZone: boolean): Entry => {
  const { component: uid } = item;
  const { registry } = context.services;
  const schema = registry.componentValidator(uid);
  const attributes: Readonly<Record<string, Field>> = registry.component(uid).attributes;
  const entry: Record<string, Json> = isZone ? { __component: uid } : {};
  entry["id"] = stored?.["id"] ?? context.nextId();
  for (const [name, field] of Object.entries(attributes)) {
    entry[name] = memberOf(context, { name, field, schema, item, stored });
  }
  return entry;
};

interface EntryField {
  readonly name: string;
  readonly field: Field;
  readonly schema: Schema;
  readonly item: ParsedItem;
  readonly stored: Entry | undefined;
}

const memberOf = (context: EntryContext, { name, field, schema, item, stored }: EntryField): Json => {
  const current = stored?.[name] ?? null;
  switch (field.type) {
    case "component":
    case "dynamiczone": {
      const items = item.components.get(name);
      if (items) return buildEntries(context, name, field, items, stored ? current : undefined);
      return current ?? (field.type === "component" && !field.repeatable ? null : []);
    }
    case "relation":
    case "media":
      return linkOf(context, name, field, item, current);
    default: {
      if (Object.hasOwn(item.data, name)) return toJson(field, item.data[name]);
      const standard = membersOf(schema).get(name)?.default;
      return stored || standard === undefined ? current : toJson(field, standard);
    }
  }
};

type LinkField = Extract<Field, { readonly type: "relation" | "media" }>;

const linkOf = (context: EntryContext, name: string, field: LinkField, item: ParsedItem, current: Json): Json => {
  const change = item.links.get(name);
  const many = isMany(field);
  if (!change) return current ?? (many ? [] : null);
  const listed = Array.isArray(current) ? current : current === null ? [] : [current];
  const byKey = new Map(listed.map((value: Json) => [linkKey(value), value]));
  const toValue = (key: string): Json => byKey.get(key) ?? valueOfKey(field, key);
  if (many) return toMany(context.targets, field, change, listed.map(linkKey)).map(toValue);
  const key = toOne(context.targets, field, change, listed.map(linkKey)[0] ?? null);
  return key === null ? null : toValue(key);
};

/** The key of a link: a file's id, a documentId, or type and documentId. */
const linkKey = (value: Json): string =>
  isRecord(value) ? `${String(value["__type"])} ${String(value["documentId"])}` : String(value);

const valueOfKey = (field: LinkField, key: string): Json => {
  if (field.type === "media") return Number(key);
  if (field.target) return key;
  const [type = "", documentId = ""] = key.split(" ");
  return { __type: type, documentId };
};

/** The fields of a component; none if it is no longer declared. */
const fieldsOf = ({ registry }: WriteServices, uid: string): Readonly<Record<string, Field>> =>
  isComponentUid(uid) ? (registry.components[uid]?.component.attributes ?? {}) : {};

type EntriesField = Extract<Attribute | Field, { readonly type: "component" | "dynamiczone" }>;

const copyEntries = (services: WriteServices, attribute: EntriesField, stored: unknown, nextId: () => number): Json => {
  const copy = (entry: Entry): Entry => {
    const uid = attribute.type === "component" ? attribute.component : String(entry["__component"]);
    const copied: Record<string, Json> = { ...entry, id: nextId() };
    for (const [name, field] of Object.entries(fieldsOf(services, uid))) {
      if (isComponent(field)) copied[name] = copyEntries(services, field, entry[name] ?? null, nextId);
    }
    return copied;
  };
  if (Array.isArray(stored)) return stored.filter(isEntry).map(copy);
  return isEntry(stored) ? copy(stored) : null;
};

/** The column value for another version: the same entries with new ids. */
export const copyColumn = (
  services: WriteServices,
  attribute: EntriesField,
  stored: Value | undefined,
  nextId: () => number,
): Value => {
  const copy = copyEntries(services, attribute, parsed(stored), nextId);
  return copy === null ? null : JSON.stringify(copy);
};

/** How many ids are taken from the sequence at once. */
const BLOCK = 256;

/** Takes `count` ids for component entries from the sequence. */
export const nextComponentIds = (count: number): Bound => ({
  statement: statementOf(
    documents,
    "component ids",
    () =>
      sql`select nextval(${sql.raw(`'${componentIds.seqName ?? ""}'`)})::int from generate_series(1, ${value("count")}::int)`,
  ),
  values: { count },
});

/** Starts without a block: the first use queries the database. */
export const createComponentIds = (): ComponentIds => {
  const reserved: number[] = [];
  return {
    async assign(session, work) {
      for (;;) {
        let taken = 0;
        const result = work(() => reserved[taken++] ?? 0);
        if (taken <= reserved.length) {
          reserved.splice(0, taken);
          return result;
        }
        const rows = await send(session, nextComponentIds(Math.max(BLOCK, taken)));
        reserved.push(...rows.map(([id]) => numberOf(id)));
      }
    },
  };
};
