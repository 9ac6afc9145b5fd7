/** Types that every schema shares: pagination, filters of scalars, errors inside zones, the JSON-like scalars. */
import { operatorsWhere } from "../../base/filter-operators.ts";
import type { InputRef, ObjectRef } from "../builder.ts";
import { localeCode, scalars } from "../scalars.ts";
import { read } from "./ready.ts";
import type { Scope } from "./scope.ts";

/** Registers the scalars under their names. */
export const addScalars = ({ builder, format }: Scope): void => {
  builder.addScalarType("JSON", scalars.JSON);
  builder.addScalarType("Date", scalars.Date);
  builder.addScalarType("DateTime", scalars.DateTime);
  builder.addScalarType("Time", scalars.Time);
  builder.addScalarType("Long", scalars.Long);
  builder.addScalarType("I18NLocaleCode", localeCode(format === "entity" ? "all" : "*"));
};

export const paginationArg = (scope: Scope): InputRef =>
  scope.refs.defineInput("PaginationArg", (t) => ({
    page: t.int(),
    pageSize: t.int(),
    start: t.int(),
    limit: t.int(),
    after: t.string(),
  }));

export const paginationType = (scope: Scope): ObjectRef =>
  scope.refs.define("Pagination", (t) => ({
    total: t.int({ nullable: false, resolve: read }),
    page: t.int({ nullable: false, resolve: read }),
    pageSize: t.int({ nullable: false, resolve: read }),
    pageCount: t.int({ nullable: false, resolve: read }),
    after: t.string({ resolve: read }),
  }));

/** A member of every dynamic zone's union: clients select it, though no zone ever has such an entry. */
export const zoneError = (scope: Scope): ObjectRef =>
  scope.refs.define("Error", (t) => ({
    code: t.string({ nullable: false, resolve: read }),
    message: t.string({ resolve: read }),
  }));

/** The scalars that have filters. */
const SCALARS = ["ID", "String", "Boolean", "Int", "Long", "Float", "JSON", "Date", "Time", "DateTime"] as const;
export type Scalar = (typeof SCALARS)[number];

/** The scalar of that name; undefined if it has no filter. */
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
