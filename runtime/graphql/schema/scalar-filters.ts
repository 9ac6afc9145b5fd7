/** The filter inputs of scalars: `StringFilterInput` and its like, made when something is filtered by them. */
import { operatorsWhere } from "../../base/filter-operators.ts";
import type { InputRef } from "../builder.ts";
import type { Scope } from "./scope.ts";

/** The scalars that something is filtered by. */
const SCALARS = ["ID", "String", "Boolean", "Int", "Long", "Float", "JSON", "Date", "Time", "DateTime"] as const;
export type Scalar = (typeof SCALARS)[number];

/** The one of that name; undefined for scalars that nothing is filtered by. */
export const filteredScalar = (name: string): Scalar | undefined => SCALARS.find((scalar) => scalar === name);

const fieldsOf = <Field>(names: readonly string[], field: () => Field): Record<string, Field> =>
  Object.fromEntries(names.map((name) => [name, field()]));

export const scalarFilter = ({ refs, format }: Scope, scalar: Scalar): InputRef => {
  const taking = (...operands: readonly string[]): readonly string[] =>
    operatorsWhere(({ takes, graphql = format }) => graphql === format && operands.includes(takes)).map((name) =>
      name.slice(1),
    );
  return refs.defineInput(`${scalar}FilterInput`, (t, self) => ({
    ...fieldsOf(["and", "or", ...taking("list", "pair")], () =>
      t.field({ type: t.listRef(scalar, { required: false }) }),
    ),
    ...fieldsOf(taking("filter"), () => t.field({ type: self })),
    ...fieldsOf(taking("value", "orNull", "text"), () => t.field({ type: scalar })),
    ...fieldsOf(taking("flag"), () => t.field({ type: "Boolean" })),
  }));
};
