/** The operators that filters compare values with, and the ways to match text. */

/** Which values an operator compares: any value, those that have an order, texts, or JSON. */
type Compared = "any" | "order" | "text" | "json";

/** `orNull`: one value, or null; `flag`: true or false. */
type Operand = "value" | "orNull" | "text" | "list" | "pair" | "flag" | "filter" | "json";

interface FilterOperator {
  readonly compares: Compared;
  readonly takes: Operand;
  /** The only GraphQL format that offers it; `none` if neither does. */
  readonly graphql?: "entity" | "none";
}

export const OPERATORS = {
  $eq: { compares: "any", takes: "orNull" },
  $ne: { compares: "any", takes: "orNull" },
  $in: { compares: "any", takes: "list" },
  $notIn: { compares: "any", takes: "list" },
  $null: { compares: "any", takes: "flag" },
  $notNull: { compares: "any", takes: "flag" },
  $not: { compares: "any", takes: "filter" },
  $gt: { compares: "order", takes: "value" },
  $gte: { compares: "order", takes: "value" },
  $lt: { compares: "order", takes: "value" },
  $lte: { compares: "order", takes: "value" },
  $between: { compares: "order", takes: "pair" },
  $eqi: { compares: "text", takes: "text" },
  $nei: { compares: "text", takes: "text" },
  $contains: { compares: "text", takes: "text" },
  $notContains: { compares: "text", takes: "text" },
  $containsi: { compares: "text", takes: "text" },
  $notContainsi: { compares: "text", takes: "text" },
  $startsWith: { compares: "text", takes: "text" },
  $startsWithi: { compares: "text", takes: "text", graphql: "entity" },
  $endsWith: { compares: "text", takes: "text" },
  $endsWithi: { compares: "text", takes: "text", graphql: "entity" },
  $jsonSupersetOf: { compares: "json", takes: "json", graphql: "none" },
} as const satisfies Readonly<Record<`$${string}`, FilterOperator>>;

export type Operator = keyof typeof OPERATORS;

/** The operators that compare values of a kind, or take an operand of one. */
export type OperatorWhere<By extends Partial<FilterOperator>> = {
  [Name in Operator]: (typeof OPERATORS)[Name] extends By ? Name : never;
}[Operator];

export const isOperator = (name: string): name is Operator => Object.hasOwn(OPERATORS, name);

/** The operators that satisfy a predicate. */
export const operatorsWhere = (holds: (operator: FilterOperator) => boolean): readonly Operator[] =>
  Object.keys(OPERATORS)
    .filter(isOperator)
    .filter((name) => holds(OPERATORS[name]));

/** The ways in which text can match, and the SQL operator for each. */
export const TEXT_MATCHES = { equals: "=", contains: "like", startsWith: "like", endsWith: "like" } as const;

export type TextMatch = keyof typeof TEXT_MATCHES;
