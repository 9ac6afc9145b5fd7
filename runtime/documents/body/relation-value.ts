/** The forms in which bodies write relations, read into one. */
import { isRecord } from "../../validation/check.ts";

/** A document or file as a body names it: by documentId, or by the numeric id of one of its rows. */
export interface Reference {
  readonly documentId?: string;
  readonly id?: number;
  /** The type of the target, where the relation leads to any. */
  readonly type?: string;
  /** The locale of the target, where only the target has locales. */
  readonly locale?: string;
  readonly position?: Position;
  /** Cannot be a reference. */
  readonly invalid?: true;
}

export type Position =
  | { readonly at: "start" | "end" }
  | { readonly at: "before" | "after"; readonly neighbour: Reference };

/** What a body wants of a relation: a new list, or changes to the present one. */
export interface RelationChange {
  readonly set?: readonly Reference[];
  readonly connect: readonly Reference[];
  readonly disconnect: readonly Reference[];
  /** Whether a neighbour that is not there is an error. */
  readonly strict: boolean;
  /** The value in the long form, which error details show. */
  readonly shown: unknown;
}

const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => item !== null && item !== undefined);

interface Read {
  readonly reference: Reference;
  readonly shown: unknown;
}

const INVALID: Reference = { invalid: true };

/** Text that begins with a digit is a numeric id: documentIds begin with a letter. */
const readKey = (value: string | number): Read => {
  if (typeof value === "number") return { reference: { id: value }, shown: { id: value } };
  if (/^\d/.test(value)) return { reference: { id: Number.parseInt(value, 10) }, shown: { id: value } };
  return { reference: value === "" ? INVALID : { documentId: value }, shown: { documentId: value } };
};

const readPosition = (value: unknown): Position | undefined => {
  if (!isRecord(value)) return undefined;
  if (value["start"] === true) return { at: "start" };
  for (const at of ["before", "after"] as const) {
    const neighbour = value[at];
    if (typeof neighbour === "string" || typeof neighbour === "number") {
      return { at, neighbour: readKey(neighbour).reference };
    }
    if (isRecord(neighbour)) return { at, neighbour: readItem(neighbour).reference };
  }
  return { at: "end" };
};

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const readItem = (item: unknown): Read => {
  if (typeof item === "string" || typeof item === "number") return readKey(item);
  if (!isRecord(item)) return { reference: INVALID, shown: item };
  const { documentId, id } = item;
  const key = typeof documentId === "string" && documentId !== "" ? { documentId } : idOf(id);
  const type = text(item["__type"]);
  const locale = text(item["locale"]);
  const position = readPosition(item["position"]);
  const reference = {
    ...(key ?? INVALID),
    ...(type === undefined ? {} : { type }),
    ...(locale === undefined ? {} : { locale }),
    ...(position === undefined ? {} : { position }),
  };
  return { reference, shown: item };
};

const idOf = (id: unknown): { id: number } | undefined => {
  if (typeof id === "number") return { id };
  return typeof id === "string" && /^\d/.test(id) ? { id: Number.parseInt(id, 10) } : undefined;
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
 * Reads the value of a relation or media attribute; undefined where it changes nothing.
 * `many`: whether the attribute holds a list. A `set` wins over `connect` and `disconnect` beside it.
 */
export const readRelation = (value: unknown, many: boolean): RelationChange | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return { ...NOTHING, set: [INVALID], shown: value };
  if (!isRecord(value)) return set(value);
  if ("set" in value) {
    const list = value["set"];
    return list === null && !many ? undefined : set(list);
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
