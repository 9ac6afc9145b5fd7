/** The filter inputs of scalars: `StringFilterInput` and its like, made when something is filtered by them. */
import type { InputRef } from "../builder.ts";
import type { Scope } from "./scope.ts";

/** The scalars that something is filtered by. */
const SCALARS = ["ID", "String", "Boolean", "Int", "Long", "Float", "JSON", "Date", "Time", "DateTime"] as const;
export type Scalar = (typeof SCALARS)[number];

/** One value each. */
const COMPARISONS = [
  "eq",
  "eqi",
  "ne",
  "nei",
  "startsWith",
  "endsWith",
  "contains",
  "notContains",
  "containsi",
  "notContainsi",
  "gt",
  "gte",
  "lt",
  "lte",
] as const;
/** The entity format offers these too, as the REST API does. */
const ENTITY_COMPARISONS = ["startsWithi", "endsWithi"] as const;
const FLAGS = ["null", "notNull"] as const;
const LISTS = ["and", "or", "in", "notIn", "between"] as const;

/** The one of that name; undefined for scalars that nothing is filtered by. */
export const filteredScalar = (name: string): Scalar | undefined => SCALARS.find((scalar) => scalar === name);

export const scalarFilter = (scope: Scope, scalar: Scalar): InputRef =>
  scope.refs.defineInput(`${scalar}FilterInput`, (t, self) => {
    const comparisons = scope.format === "entity" ? [...COMPARISONS, ...ENTITY_COMPARISONS] : COMPARISONS;
    return {
      ...Object.fromEntries(LISTS.map((name) => [name, t.field({ type: t.listRef(scalar, { required: false }) })])),
      not: t.field({ type: self }),
      ...Object.fromEntries(comparisons.map((name) => [name, t.field({ type: scalar })])),
      ...Object.fromEntries(FLAGS.map((name) => [name, t.field({ type: "Boolean" })])),
    };
  });
