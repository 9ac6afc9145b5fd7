/** Where entries of components are stored, and how many there are of what. */
import type { AttributeOutline, Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";

/** Entries of a component: a column, with a path in the language of `jsonb_path_query` to them. */
export interface EntryPlace {
  readonly table: string;
  readonly column: string;
  readonly path: string;
}

type Components = Snapshot["components"];

/** Paths to the entries of `uid` in an attribute. What contains itself is no schema, so that this comes to an end. */
const pathsTo = (components: Components, attribute: AttributeOutline, path: string, uid: string): readonly string[] => {
  const into = (held: string, entries: string): readonly string[] => [
    ...(held === uid ? [entries] : []),
    ...Object.entries(components[held]?.attributes ?? {}).flatMap(([name, each]) =>
      pathsTo(components, each, `${entries}.${JSON.stringify(name)}`, uid),
    ),
  ];
  if (attribute.kind === "component") return into(attribute.component, attribute.repeatable ? `${path}[*]` : path);
  if (attribute.kind !== "dynamiczone") return [];
  return attribute.components.flatMap((each) =>
    into(each, `${path}[*] ? (@."__component" == ${JSON.stringify(each)})`),
  );
};

/** Every place with entries of the component. */
export const entryPlaces = ({ contentTypes, components }: Snapshot, uid: string): readonly EntryPlace[] =>
  Object.values(contentTypes).flatMap(({ table, attributes }) =>
    Object.values(attributes).flatMap((attribute) =>
      attribute.kind === "component" || attribute.kind === "dynamiczone"
        ? pathsTo(components, attribute, "$", uid).map((path) => ({ table, column: attribute.column, path }))
        : [],
    ),
  );

/** What of the values at some places is counted. */
export interface Counted {
  /** The end of the path to them. */
  readonly end?: string;
  /** `and …` over the JSON `value`. */
  readonly where?: string;
  readonly amount?: string;
}

/** A statement that counts values inside JSON; null and empty lists are none. */
export const countInside = (
  places: readonly EntryPlace[],
  { end = "", where = "", amount = "count(*)" }: Counted,
): string =>
  `select ${places
    .map(
      ({ table, column, path }) =>
        `(select ${amount} from ${quote(table)}, jsonb_path_query(${quote(column)}::jsonb, ${literal(path + end)}) as value ` +
        `where value not in ('null', '[]')${where})`,
    )
    .join(" + ")}`;
