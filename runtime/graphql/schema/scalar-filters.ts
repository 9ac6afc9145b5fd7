/** The filter inputs of scalars: `StringFilterInput` and its like, made when something is filtered by them. */
import type { InputRef } from "../builder.ts";
import type { ScalarName } from "../declaration.ts";
import type { Scope } from "./scope.ts";

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

export const scalarFilter = (scope: Scope, scalar: ScalarName | "ID"): InputRef =>
  scope.refs.implementedInput(`${scalar}FilterInput`, (self) => {
    const comparisons = scope.format === "entity" ? [...COMPARISONS, ...ENTITY_COMPARISONS] : COMPARISONS;
    self.implement({
      fields: (t) => ({
        ...Object.fromEntries(LISTS.map((name) => [name, t.field({ type: t.listRef(scalar, { required: false }) })])),
        not: t.field({ type: self }),
        ...Object.fromEntries(comparisons.map((name) => [name, t.field({ type: scalar })])),
        ...Object.fromEntries(FLAGS.map((name) => [name, t.field({ type: "Boolean" })])),
      }),
    });
  });
