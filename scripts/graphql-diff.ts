/**
 * Prints how the schema of a running server differs from a reference, type by type: `npm run graphql:diff --
 * http://localhost:1337/graphql REFERENCE.graphql`. The server must allow introspection.
 */
import { readFileSync } from "node:fs";
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type GraphQLNamedType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isIntrospectionType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printType,
} from "graphql";

/** The lines of a type, without descriptions. */
const linesOf = (type: GraphQLNamedType): ReadonlySet<string> => {
  const text = printType(type).replaceAll(/"""[\s\S]*?"""\n?/g, "");
  return new Set(
    text
      .replaceAll(
        /\(\n([\s\S]*?)\n\s*\)/g,
        (_, args: string) =>
          `(${args
            .trim()
            .split(/\s*\n\s*/)
            .filter(Boolean)
            .join(", ")})`,
      )
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line.trim() !== "" && line !== "}"),
  );
};

const typesOf = (schema: GraphQLSchema): ReadonlyMap<string, GraphQLNamedType> =>
  new Map(
    Object.entries(lexicographicSortSchema(schema).getTypeMap()).filter(
      ([, type]) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    ),
  );

const isIntrospection = (value: unknown): value is { data: IntrospectionQuery } =>
  typeof value === "object" && value !== null && "data" in value && value.data !== null;

const fetchSchema = async (url: string): Promise<GraphQLSchema> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const answer: unknown = await response.json();
  if (!isIntrospection(answer)) throw new Error(`${url} does not tell its schema: ${JSON.stringify(answer)}`);
  return buildClientSchema(answer.data);
};

const [url, reference] = process.argv.slice(2);
if (url === undefined || reference === undefined) {
  console.error("usage: npm run graphql:diff -- URL REFERENCE.graphql");
  process.exit(2);
}
const ours = typesOf(await fetchSchema(url));
const theirs = typesOf(buildSchema(readFileSync(reference, "utf8")));
for (const name of [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()) {
  const mine = ours.get(name);
  const other = theirs.get(name);
  if (!mine || !other) {
    console.log(`${mine ? "+" : "-"} ${name}`);
    continue;
  }
  const [present, expected] = [linesOf(mine), linesOf(other)];
  const removed = [...expected].filter((line) => !present.has(line)).map((line) => `  - ${line.trim()}`);
  const added = [...present].filter((line) => !expected.has(line)).map((line) => `  + ${line.trim()}`);
  if (removed.length + added.length > 0) console.log([name, ...removed, ...added].join("\n"));
}
