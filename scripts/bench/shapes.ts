/** Converts answers of REST and both GraphQL formats to one shape, to check that their contents match. */

interface Page {
  readonly rows: unknown;
  readonly total: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const members = (value: unknown): Members => (isMembers(value) ? value : {});

/** Row ids and component names differ between formats or are absent. */
const NAMES = new Set(["id", "__component", "__typename"]);

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (!isMembers(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !NAMES.has(name));
  return Object.fromEntries(entries.map(([name, member]) => [name, plain(member)]));
};

export const fromRest = (answer: unknown): Page => {
  const { data, meta } = members(answer);
  return { rows: plain(data), total: members(members(meta)["pagination"])["total"] };
};

/** Unwraps the attributes in `{ data: { id, attributes } }`. */
const unwrapped = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (!isMembers(value)) return value;
  if ("attributes" in value) return unwrapped({ documentId: value["id"], ...members(value["attributes"]) });
  const [only, ...others] = Object.keys(value);
  if (only === "data" && others.length === 0) return unwrapped(value["data"]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unwrapped(member)]));
};

/** An answer to `articles` of the entity format, or to `articles_connection` of the flat one. */
export const fromGraphql = (answer: unknown): Page => {
  const { articles, articles_connection: connection } = members(members(answer)["data"]);
  const { data, meta } = members(articles);
  const { nodes, pageInfo } = members(connection);
  const facts = members(pageInfo ?? members(meta)["pagination"]);
  return { rows: plain(unwrapped(data ?? nodes)), total: facts["total"] };
};
