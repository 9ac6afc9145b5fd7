/** Where component values are stored, and statements that count them. */
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";

export type Json = Extract<AttributeOutline, { kind: "component" | "dynamiczone" }>;

export const isJson = (attribute: AttributeOutline): attribute is Json =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";

/** JSON values in a database. */
export interface Stored {
  /** A query that returns one JSON value per row, `entry`; undefined if nothing is stored. */
  readonly query: () => string | undefined;
  /** The path to the values in those, in the language of `jsonb_path_query`. */
  readonly path: string;
}

/** The values of a column. */
export const storedInColumn = (table: string, column: string): Stored => ({
  query: () => `select ${quote(column)}::jsonb as entry from ${quote(table)}`,
  path: "$",
});

export const fieldOfStored = ({ query, path }: Stored, field: string): Stored => ({
  query,
  path: `${path}.${JSON.stringify(field)}`,
});

/** Components that an attribute holds, with the path to the entries of each. */
const heldBy = (attribute: AttributeOutline): readonly (readonly [uid: string, path: string])[] => {
  if (attribute.kind === "component") return [[attribute.component, attribute.repeatable ? "[*]" : ""]];
  if (attribute.kind !== "dynamiczone") return [];
  return attribute.components.map((uid) => [uid, `[*] ? (@."__component" == ${JSON.stringify(uid)})`]);
};

/** The components whose entries contain others. */
const edgesIn = ({ components }: Snapshot) =>
  Object.entries(components).flatMap(([owner, { attributes }]) =>
    Object.entries(attributes).flatMap(([name, attribute]) =>
      heldBy(attribute).map(([held, path]) => ({ owner, held, path: `$.${JSON.stringify(name)}${path}` })),
    ),
  );

/** The component, and those whose entries contain it at any depth. */
const holdersOf = (uid: string, edges: ReturnType<typeof edgesIn>): ReadonlySet<string> => {
  const holders = new Set([uid]);
  for (const holder of holders) for (const { owner, held } of edges) if (held === holder) holders.add(owner);
  return holders;
};

/** Entries in columns with their component: the starting points of the search for entries. */
const entriesInColumns = (
  { contentTypes }: Snapshot,
  components: ReadonlySet<string>,
  rowsOf: (type: ContentTypeOutline) => string,
): readonly string[] =>
  Object.values(contentTypes).flatMap((type) =>
    Object.values(type.attributes)
      .filter(isJson)
      .flatMap((attribute) =>
        heldBy(attribute)
          .filter(([uid]) => components.has(uid))
          .map(
            ([uid, path]) =>
              `select ${literal(uid)}::text, value from ${quote(type.table)}, ` +
              `jsonb_path_query(${quote(attribute.column)}::jsonb, ${literal(`$${path}`)}) as value where ${rowsOf(type)}`,
          ),
      ),
  );

/**
 * All entries of a component. The query descends component by component, so its text grows with their number: the
 * number of paths to a component doubles with each level that contains the next one twice.
 *
 * @param rowsOf a condition on the rows of a content type
 */
export const storedEntries = (
  snapshot: Snapshot,
  uid: string,
  rowsOf: (type: ContentTypeOutline) => string = () => "true",
): Stored => ({
  query: () => {
    const edges = edgesIn(snapshot);
    const holders = holdersOf(uid, edges);
    const found = entriesInColumns(snapshot, holders, rowsOf);
    if (found.length === 0) return undefined;
    const within = edges
      .filter(({ held }) => holders.has(held))
      .map(({ owner, held, path }) => `(${literal(owner)}, ${literal(held)}, ${literal(path)}::jsonpath)`);
    const descend =
      "select edge.held, value from found join (values " +
      `${within.join(", ")}) as edge (owner, held, path) on edge.owner = found.component, jsonb_path_query(found.entry, edge.path) as value`;
    const all = [...found, ...(within.length === 0 ? [] : [descend])].join("\nunion all\n");
    return `with recursive found (component, entry) as (\n${all}\n) select entry from found where component = ${literal(uid)}`;
  },
  path: "$",
});

/** Which stored values to count. */
export interface Counted {
  /** The end of the path to them. */
  readonly end?: string;
  /** `and …` over the JSON `value`. */
  readonly where?: string;
  readonly amount?: string;
  /** `and …`, which leaves out values that are nothing but defaults. */
  readonly beyondDefault?: string;
}

/** A statement that counts values, except null and empty lists. Undefined if nothing is stored. */
export const countStored = (
  { query, path }: Stored,
  { end = "", where = "", amount = "count(*)" }: Counted = {},
): string | undefined => {
  const rows = query();
  if (rows === undefined) return undefined;
  return (
    `select ${amount} from (${rows}) as stored, jsonb_path_query(entry, ${literal(path + end)}) as value ` +
    `where value not in ('null', '[]')${where}`
  );
};
