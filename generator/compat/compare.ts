/** Compares two answers. */
import { isRecord } from "../../runtime/base/is-record.ts";
import type { Answer } from "./ask.ts";

/** One difference between two answers. */
export interface Difference {
  readonly kind: "status" | "missing" | "added" | "value" | "length" | "order";
  /** The path in the body: `data[0].title`; empty for the whole answer. */
  readonly at: string;
  /** The other server's value. */
  readonly theirs: unknown;
  /** This server's value. */
  readonly ours: unknown;
}

/** Row ids differ between databases: documents with a documentId are matched by that. */
const IGNORED: ReadonlySet<string> = new Set(["id"]);

/** The maximum number of differences reported per answer. */
const MOST = 20;

const keyOf = (value: unknown): string | undefined =>
  isRecord(value) && typeof value["documentId"] === "string"
    ? `${value["documentId"]} ${String(value["locale"] ?? "")} ${String(value["publishedAt"] ?? "")}`
    : undefined;

/** Documents by their key; undefined if one of them is not a document. */
const byKey = (list: readonly unknown[]): ReadonlyMap<string, unknown> | undefined => {
  const keys = list.map(keyOf);
  return keys.includes(undefined) ? undefined : new Map(keys.map((key, index) => [key ?? "", list[index]]));
};

const ofLists = (theirs: readonly unknown[], ours: readonly unknown[], at: string): readonly Difference[] => {
  if (theirs.length !== ours.length) return [{ kind: "length", at, theirs: theirs.length, ours: ours.length }];
  const there = byKey(theirs);
  const here = byKey(ours);
  const isSameSet = there && here && [...there.keys()].every((key) => here.has(key));
  const order = there && here && [...there.keys()].some((key, index) => [...here.keys()][index] !== key);
  if (!isSameSet || !order) return theirs.flatMap((each, index) => differences(each, ours[index], `${at}[${index}]`));
  return [
    { kind: "order", at, theirs: [...there.keys()].slice(0, 3), ours: [...here.keys()].slice(0, 3) },
    ...[...there].flatMap(([key, value]) => differences(value, here.get(key), `${at}[${key.split(" ")[0]}]`)),
  ];
};

const ofRecords = (theirs: object, ours: object, at: string): readonly Difference[] => {
  const there = new Map(Object.entries(theirs));
  const here = new Map(Object.entries(ours));
  const names = new Set([...there.keys(), ...here.keys()]);
  return [...names].flatMap((name): readonly Difference[] => {
    const place = at === "" ? name : `${at}.${name}`;
    if (IGNORED.has(name)) return [];
    if (!here.has(name)) return [{ kind: "missing", at: place, theirs: there.get(name), ours: undefined }];
    if (!there.has(name)) return [{ kind: "added", at: place, theirs: undefined, ours: here.get(name) }];
    return differences(there.get(name), here.get(name), place);
  });
};

/** All differences between two values. */
const differences = (theirs: unknown, ours: unknown, at: string): readonly Difference[] => {
  if (Array.isArray(theirs) && Array.isArray(ours)) return ofLists(theirs, ours, at);
  if (isRecord(theirs) && isRecord(ours)) return ofRecords(theirs, ours, at);
  return Object.is(theirs, ours) ? [] : [{ kind: "value", at, theirs, ours }];
};

/** Replaces the server's address at the start of file URLs. */
const withoutOrigin = (body: unknown, origin: string): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(`"${origin}/`, '"/'));

/** Error answers are compared by status only: their texts may differ. */
const isRefusal = ({ status }: Answer): boolean => status >= 400;

/** Compares two servers' answers, each with its server's address. */
export const compare = (
  theirs: Answer & { readonly url: string },
  ours: Answer & { readonly url: string },
): readonly Difference[] => {
  // If neither server answered, nothing is known.
  if (theirs.status !== ours.status || theirs.status === 0)
    return [{ kind: "status", at: "", theirs: theirs.status, ours: ours.status }];
  if (isRefusal(theirs)) return [];
  return differences(withoutOrigin(theirs.body, theirs.url), withoutOrigin(ours.body, ours.url), "").slice(0, MOST);
};
