/** All values of a database by place, and which of them a migration left unchanged. */
import type { AttributeOutline, Snapshot } from "../../generator/migrate/snapshot.ts";
import { quote } from "../../generator/migrate/sql.ts";
import type { Database } from "../../runtime/database/database.ts";

export interface Value {
  readonly text: string;
  /** Names that a migration's header may use for it: its attribute, column, table, or component. */
  readonly places: readonly string[];
}

/** By document or entry, and attribute name. */
export type Content = ReadonlyMap<string, Value>;

const INSTANT = /^timestamp/;

/** A column as a text that equals its JSON form. */
const shown = (name: string, type: string): string => {
  if (INSTANT.test(type)) return `to_char(${quote(name)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return type.startsWith("time") ? `to_char(${quote(name)}::interval, 'HH24:MI:SS.MS')` : `${quote(name)}::text`;
};

const isThere = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const asObject = (value: unknown): Readonly<Record<string, unknown>> => Object(value);

class Reader {
  readonly found = new Map<string, Value>();
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  #entry(uid: string, value: unknown, places: readonly string[]): void {
    const entry = asObject(value);
    for (const [name, attribute] of Object.entries(this.#snapshot.components[uid]?.attributes ?? {})) {
      this.value(`entry ${String(entry["id"])}`, `${uid}.${name}`, attribute, entry[name], [...places, uid]);
    }
  }

  /** Records a value, or those of its entries. `owner` is the document or the entry. */
  value(owner: string, place: string, attribute: AttributeOutline, value: unknown, places: readonly string[]): void {
    if (!isThere(value)) return;
    const all = [...places, place];
    if (attribute.kind === "component") {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      for (const entry of entries) this.#entry(attribute.component, entry, all);
    } else if (attribute.kind === "dynamiczone") {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [];
      for (const entry of entries) this.#entry(String(asObject(entry)["__component"]), entry, all);
    } else {
      this.found.set(`${owner} ${place.slice(place.lastIndexOf(".") + 1)}`, { text: textOf(value), places: all });
    }
  }
}

const parse = (attribute: AttributeOutline, value: unknown): unknown => {
  const isJson = attribute.kind === "component" || attribute.kind === "dynamiczone";
  return isJson && typeof value === "string" ? JSON.parse(value) : value;
};

/** All values of the content types of a snapshot. */
export const readContent = async (database: Database, snapshot: Snapshot): Promise<Content> => {
  const reader = new Reader(snapshot);
  for (const [uid, { table, attributes }] of Object.entries(snapshot.contentTypes)) {
    if (!uid.startsWith("api::")) continue;
    for (const [name, attribute] of Object.entries(attributes)) {
      const place = `${table}.${name}`;
      const places = [table, uid, `${uid}.${name}`];
      if ("column" in attribute && attribute.column !== undefined) {
        const type = snapshot.tables[table]?.columns[attribute.column]?.type ?? "text";
        const rows = await database.rows(
          `select document_id, published_at is null, ${shown(attribute.column, type)} from ${quote(table)}`,
        );
        for (const [id, isDraft, value] of rows) {
          const owner = `${String(id)}${isDraft === true ? " draft" : ""}`;
          reader.value(owner, place, attribute, parse(attribute, value), [...places, `${table}.${attribute.column}`]);
        }
      } else if ("link" in attribute && attribute.link !== undefined) {
        const column = attribute.kind === "media" ? "file_id" : "document_id";
        const rows = await database.rows(
          `select version.document_id, version.published_at is null, link.${column}::text from ${quote(attribute.link)} as link
          join ${quote(table)} as version on version.id = link.version_id order by link.position`,
        );
        for (const [id, isDraft, value] of rows) {
          const owner = `${String(id)}${isDraft === true ? " draft" : ""}`;
          reader.value(owner, place, attribute, value, [...places, attribute.link]);
        }
      }
    }
  }
  return reader.found;
};

/** Whether a header names a value, or something that contains it. */
const isNamed = (losses: readonly string[], { places }: Value): boolean => {
  const words = new Set(losses.flatMap((loss) => loss.split(/[\s:,]+/)));
  return places.some((place) => words.has(place));
};

const EVERY = /^every value of (\S+)$/;

/** Whether a loss of every value at a place did not happen: each is there as before. */
export const isKept = (loss: string, before: Content, after: Content): boolean => {
  const place = EVERY.exec(loss)?.[1];
  const values = [...before].filter(([, { places }]) => place !== undefined && places.includes(place));
  return values.length > 0 && values.every(([key, { text }]) => after.get(key)?.text === text);
};

/** Whether texts, numbers or booleans are equal, however they are written. */
const says = (before: string, after: string): boolean =>
  before === after ||
  (before !== "" && Number(before) === Number(after)) ||
  after.includes(before) ||
  before.replaceAll(/\s/g, "") === after.replaceAll(/\s/g, "");

export interface Comparison {
  readonly kept: number;
  readonly named: number;
  /** Values that were lost or changed without being named in a header. */
  readonly silent: readonly string[];
}

/** The present name of a value, and renamed enumeration values, by the old place. */
export interface Renamed {
  readonly names: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export const nothingRenamed: Renamed = { names: new Map(), values: new Map() };

const at = <Result>(found: ReadonlyMap<string, Result>, { places }: Value, name: string): Result | undefined =>
  places.filter((place) => place.endsWith(`.${name}`)).flatMap((place) => found.get(place) ?? [])[0];

/** Compares content before and after migrations whose headers name `losses`. */
export const compare = (before: Content, after: Content, losses: readonly string[], renamed: Renamed): Comparison => {
  const silent: string[] = [];
  let [kept, named] = [0, 0];
  for (const [key, value] of before) {
    const end = key.lastIndexOf(" ") + 1;
    const name = key.slice(end);
    const now = after.get(key.slice(0, end) + (at(renamed.names, value, name) ?? name));
    const text = at(renamed.values, value, name)?.[value.text] ?? value.text;
    if (now && says(text, now.text)) kept++;
    else if (isNamed(losses, value)) named++;
    else
      silent.push(
        `${key} (${value.places.at(-1)}): ${value.text.slice(0, 60)} -> ${now?.text.slice(0, 60) ?? "nothing"}`,
      );
  }
  return { kept, named, silent };
};
