/** Parses the forms in which a body can write a relation. */
import { isRecord } from "../../base/is-record.ts";
import { isInt4 } from "./numbers.ts";

/** A reference to a document or file: by documentId, or by the numeric id of one of its rows. */
export interface Reference {
  readonly documentId?: string;
  readonly id?: number;
  /** The target's type, in a relation to any type. */
  readonly type?: string;
  /** The target's locale, if only the target's type has locales. */
  readonly locale?: string;
  readonly position?: Position;
  /** Set if the value cannot be a reference. */
  readonly invalid?: true;
}

export type Position =
  | { readonly at: "start" | "end" }
  | { readonly at: "before" | "after"; readonly neighbour: Reference };

/** The change of a relation that a body asks for: a new list, or changes to the current one. */
export interface RelationChange {
  readonly set?: readonly Reference[];
  readonly connect: readonly Reference[];
  readonly disconnect: readonly Reference[];
  /** Whether a missing neighbour is an error. */
  readonly strict: boolean;
  /** The value in its long form, for error details. */
  readonly shown: unknown;
}

/** The items of a list without null and empty lists, which name nothing. */
const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (item) => item !== null && item !== undefined && !(Array.isArray(item) && item.length === 0),
  );

interface Read {
  readonly reference: Reference;
  readonly shown: unknown;
}

const INVALID: Reference = { invalid: true };

/** Parses a key. An integer, also as a string, is a row id; other strings that begin with a digit are invalid. */
const readKey = (value: string | number): Read => {
  if (typeof value === "number" || /^(?:\d|\s*[-+]?\d+\s*$)/.test(value)) {
    return { reference: idOf(value) ?? INVALID, shown: { id: value } };
  }
  return { reference: value === "" ? INVALID : { documentId: value }, shown: { documentId: value } };
};

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Parses the position of an item. The neighbour is named in the same way as the item, by documentId or by row id. In a
 * relation to any type, the position may name the neighbour's type; by default it is the item's type.
 */
const readPosition = (value: unknown, byDocument: boolean, itemType: string | undefined): Position | undefined => {
  if (!isRecord(value)) return undefined;
  if (value["start"] === true) return { at: "start" };
  for (const at of ["before", "after"] as const) {
    const neighbour = value[at];
    if (typeof neighbour === "string" || typeof neighbour === "number") {
      const reference = byDocument ? { documentId: String(neighbour) } : readKey(neighbour).reference;
      const type = text(value["__type"]) ?? itemType;
      return { at, neighbour: type === undefined ? reference : { ...reference, type } };
    }
    if (isRecord(neighbour)) return { at, neighbour: INVALID };
  }
  return { at: "end" };
};

const readItem = (item: unknown): Read => {
  if (typeof item === "string" || typeof item === "number") return readKey(item);
  if (!isRecord(item)) return { reference: INVALID, shown: item };
  const { documentId, id } = item;
  const key = typeof documentId === "string" || typeof documentId === "number" ? documentOf(documentId) : idOf(id);
  const type = text(item["__type"]);
  const locale = text(item["locale"]);
  const position = readPosition(item["position"], key !== undefined && "documentId" in key, type);
  const misplaced = position !== undefined && "neighbour" in position && position.neighbour.invalid === true;
  const reference = {
    ...(misplaced ? INVALID : (key ?? INVALID)),
    ...(type === undefined ? {} : { type }),
    ...(locale === undefined ? {} : { locale }),
    ...(position === undefined ? {} : { position }),
  };
  return { reference, shown: item };
};

const documentOf = (documentId: string | number): { documentId: string } | undefined =>
  documentId === "" ? undefined : { documentId: String(documentId) };

/** The row id; a null id refers to nothing. */
const idOf = (id: unknown): { id: number } | undefined => {
  if (id === null) return { id: 0 };
  if (typeof id !== "number" && !(typeof id === "string" && /^\s*[-+]?\d+\s*$/.test(id))) return undefined;
  const number = Number(id);
  return isInt4(number) ? { id: number } : undefined;
};

const readList = (value: unknown): { references: Reference[]; shown: unknown[] } => {
  const read = listOf(value).map(readItem);
  return { references: read.map(({ reference }) => reference), shown: read.map(({ shown }) => shown) };
};

const NOTHING = { connect: [], disconnect: [], strict: true };

const set = (value: unknown): RelationChange => {
  const { references, shown } = readList(value);
  return { ...NOTHING, set: references, shown: { set: shown } };
};

/**
 * Parses the value of a relation or media attribute; undefined if it changes nothing. `set` takes precedence over
 * `connect` and `disconnect`.
 */
export const readRelation = (value: unknown): RelationChange | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return { ...NOTHING, set: [INVALID], shown: value };
  if (!isRecord(value)) return set(value);
  if ("set" in value) {
    const list = value["set"];
    return list === null ? undefined : set(list);
  }
  if ("connect" in value || "disconnect" in value) return changes(value);
  return Object.keys(value).length === 0 || Object.keys(value).every((key) => key === "options")
    ? undefined
    : set([value]);
};

const changes = (value: Readonly<Record<string, unknown>>): RelationChange => {
  const connect = readList(value["connect"]);
  const disconnect = readList(value["disconnect"]);
  const { options } = value;
  return {
    connect: connect.references,
    disconnect: disconnect.references,
    strict: !(isRecord(options) && options["strict"] === false),
    shown: {
      ...("connect" in value ? { connect: connect.shown } : {}),
      ...("disconnect" in value ? { disconnect: disconnect.shown } : {}),
    },
  };
};
