/** What a service answered, and what another one answers in its place. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

const exchange = z.object({
  method: z.string(),
  path: z.string(),
  auth: z.string(),
  status: z.number(),
  request: z.unknown().optional(),
  body: z.unknown().optional(),
  sha256: z.string().optional(),
});
export type Exchange = z.output<typeof exchange>;

/** The lines of JSON in a packed file. */
export const linesOf = <Shape extends z.ZodType>(file: string, shape: Shape): readonly z.output<Shape>[] =>
  gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split("\n")
    .map((line) => shape.parse(JSON.parse(line)));

export const exchangesOf = (file: string): readonly Exchange[] => linesOf(file, exchange);

/** One place where two answers differ. */
export interface Difference {
  /** `data.comments[0].locale`; empty for the answer as a whole. */
  readonly at: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** All places where two values differ. What has no order is compared by what it holds. */
export const differencesOf = (theirs: unknown, ours: unknown, at = ""): readonly Difference[] => {
  if (!isObject(theirs) || !isObject(ours) || Array.isArray(theirs) !== Array.isArray(ours)) {
    return Object.is(theirs, ours) ? [] : [{ at, theirs, ours }];
  }
  const there = new Map(Object.entries(theirs));
  const here = new Map(Object.entries(ours));
  return [...new Set([...there.keys(), ...here.keys()])].flatMap((key) => {
    const place = Array.isArray(theirs) ? `${at}[${key}]` : at === "" ? key : `${at}.${key}`;
    return differencesOf(there.get(key), here.get(key), place);
  });
};

/** A body with every list of localizations, which have no order, in one; in version 4 they stand in `data`. */
const ordered = (value: unknown, name = ""): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => ordered(item));
    return name === "localizations"
      ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === "jwt" ? "<jwt>" : ordered(each, key === "data" && name === "localizations" ? name : key),
    ]),
  );
};

/** How lists are compared that were asked for without a sort. */
export type Order = "as it is" | "by id";

const idOf = (item: unknown): number => (isObject(item) && "id" in item ? Number(item.id) : 0);

const sortedById = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.toSorted((a, b) => idOf(a) - idOf(b));
  return isObject(body) && "data" in body && Array.isArray(body.data) ? { ...body, data: sortedById(body.data) } : body;
};

/** The answer of the server at `url` to what was recorded, and what it differs in. */
export const compareExchange = async (
  url: string,
  { method, path, status, request, body, sha256 }: Exchange,
  token: string | undefined,
  order: Order = "as it is",
): Promise<{ readonly differences: readonly Difference[]; readonly answer: unknown }> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(request === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(request === undefined ? {} : { body: JSON.stringify(request) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== status) {
    return {
      differences: [{ at: "", theirs: status, ours: `${response.status} ${bytes.toString()}` }],
      answer: undefined,
    };
  }
  if (sha256 !== undefined) {
    const ours = createHash("sha256").update(bytes).digest("hex");
    return { differences: ours === sha256 ? [] : [{ at: "", theirs: sha256, ours }], answer: undefined };
  }
  const answer: unknown = JSON.parse(bytes.toString());
  // Most are the same to the letter.
  const isSame = JSON.stringify(answer) === JSON.stringify(body);
  if (isSame) return { differences: [], answer };
  const arranged = (value: unknown): unknown =>
    ordered(order === "by id" && !path.includes("sort=") ? sortedById(value) : value);
  return { differences: differencesOf(arranged(body), arranged(answer)), answer };
};
