/**
 * Every private, password and forbidden attribute, tried through every part of an operation, directly and through
 * relations, components and logical groups: it is refused, and what is answered does not depend on the hidden value.
 */
import { getNamedType, type GraphQLObjectType, type GraphQLSchema, isObjectType, isUnionType } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { isThorough } from "../../support/thorough.ts";
import { hidingWorlds, nest, type Target, targets } from "../query/hidden.ts";
import { type Format, formats } from "./articles.ts";
import { type GraphqlServer, type Reply, schemaWith, serve } from "./world.ts";

const schemas: Readonly<Record<Format, GraphQLSchema>> = {
  flat: schemaWith(undefined, { format: "flat" }),
  entity: schemaWith(undefined, { format: "entity" }),
};

let servers: Readonly<Record<Format, readonly GraphqlServer[]>>;
beforeAll(async () => {
  const worlds = await hidingWorlds();
  const of = (format: Format) =>
    Promise.all(
      worlds.map(({ database }) =>
        serve({ database, graphql: { format, depthLimit: 50, aliasLimit: 10_000, tokenLimit: 100_000 } }),
      ),
    );
  servers = { flat: await of("flat"), entity: await of("entity") };
});

type Variables = Readonly<Record<string, unknown>>;

/** The answer of both worlds, which has to be one and the same. */
const ask = async (format: Format, text: string, variables?: Variables): Promise<Reply> => {
  const [one, other] = servers[format];
  if (!one || !other) throw new Error("there are two worlds");
  const first = await one.query(text, variables);
  // What is refused before it runs knows of no world.
  if (first.status !== 400) expect((await other.query(text, variables)).text, text).toBe(first.text);
  expect(first.text, text).not.toContain("HIDDEN");
  return first;
};

const refused = async (format: Format, text: string, variables?: Variables): Promise<void> => {
  const { body } = await ask(format, text, variables);
  const { errors } = body as { errors?: readonly { extensions: { code: string } }[] };
  expect(errors, `${text} ${JSON.stringify(variables)}`).toBeDefined();
  const code = errors?.[0]?.extensions.code;
  expect(["GRAPHQL_VALIDATION_FAILED", "BAD_USER_INPUT", "FORBIDDEN"], text).toContain(code);
};

/** The object behind a field, through the wrapper that the entity format puts around it, and what selects it. */
const behind = (type: GraphQLObjectType, name: string) => {
  const field = type.getFields()[name];
  const found = field && getNamedType(field.type);
  if (!isObjectType(found)) return undefined;
  const data = found.getFields()["data"];
  const entity = data && getNamedType(data.type);
  const attributes = isObjectType(entity) ? entity.getFields()["attributes"] : undefined;
  const inner = attributes && getNamedType(attributes.type);
  return isObjectType(inner)
    ? { type: inner, wrap: (selection: string) => `{ data { attributes ${selection} } }` }
    : { type: found, wrap: (selection: string) => selection };
};

const manyOf = ({ type }: Target): string => type.pluralName;

/** A query for `leaf` at the end of the path; `args` go to the last field of the path. */
const selecting = (format: Format, target: Target, leaf: string, args = ""): string | undefined => {
  const walk = (type: GraphQLObjectType, path: readonly string[]): string | undefined => {
    const [name, ...rest] = path;
    if (name === undefined) return `{ ${leaf} }`;
    const next = behind(type, name);
    const inner = next && walk(next.type, rest);
    return next && inner && `{ ${name}${rest.length === 0 ? args : ""} ${next.wrap(inner)} }`;
  };
  const query = schemas[format].getQueryType();
  return query ? walk(query, [manyOf(target), ...target.path]) : undefined;
};

/** JSON as GraphQL writes it. */
const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/"(\w+)":/g, "$1:");

const OPERANDS = [{ eq: "x" }, { startsWith: "H" }, { notNull: true }, { name: { eq: "x" } }, { not: { eq: "x" } }];

/** Filters on the attribute: one in every position, the others by themselves. */
const filtersOn = (path: readonly string[], name: string): readonly unknown[] =>
  OPERANDS.flatMap((operand, index) => {
    const filter = nest(path, { [name]: operand });
    if (index > 0 && !isThorough) return [filter];
    return [filter, nest(path, { or: [{ [name]: operand }] }), { and: [filter] }, { or: [filter] }, { not: filter }];
  });

const filterType = ({ type }: Target): string =>
  `${type.singularName[0]?.toUpperCase()}${type.singularName.slice(1)}FiltersInput`;

const label = ({ type, path, name }: Target): string => [type.singularName, ...path, name].join(".");

/**
 * Types are the same wherever a path leads to them, so two steps are enough, and more only through components. What
 * other types hold by morph relations is not in the schema, and nobody's creator is, at any depth.
 */
const isTried = ({ path, name }: Target): boolean => {
  if (path.some((step) => step === "comments" || step === "remarks")) return false;
  if (path.length > 1 && path[0] !== "seo") return false;
  return path.length === 0 || !/^(created|updated)By$/.test(name);
};

const cases = formats.flatMap((format) =>
  targets.filter(isTried).map((target) => [format, label(target), target] as const),
);

test.each(cases)("%s: %s is in no output", async (format, _, target) => {
  for (const leaf of [target.name, `x: ${target.name}`, `${target.name} { name }`, `${target.name} { data { id } }`]) {
    const text = selecting(format, target, leaf);
    if (text === undefined) throw new Error(`no way to ${label(target)}`);
    // What may not be found is an error where there is a document that might lead to it.
    await (target.forbidden && target.path.length > 0 ? ask(format, text) : refused(format, text));
  }
});

test.each(cases)("%s: %s is in no filter", async (format, _, target) => {
  const many = manyOf(target);
  for (const filters of filtersOn(target.path, target.name)) {
    await refused(format, `{ ${many}(filters: ${literal(filters)}) { __typename } }`);
  }
  for (const operand of isThorough ? OPERANDS : OPERANDS.slice(0, 2)) {
    const filters = nest(target.path, { [target.name]: operand });
    const text = `query ($filters: ${filterType(target)}) { ${many}(filters: $filters) { __typename } }`;
    await refused(format, text, { filters });
    const nested = `(filters: ${literal({ [target.name]: operand })})`;
    const below = target.path.length > 0 ? selecting(format, target, "__typename", nested) : undefined;
    if (below !== undefined) await refused(format, below);
  }
});

test.each(cases)("%s: nothing is sorted by %s", async (format, _, target) => {
  const dotted = [...target.path, target.name].join(".");
  for (const sort of [dotted, `${dotted}:desc`, `${dotted}.name`]) {
    await refused(format, `{ ${manyOf(target)}(sort: ${JSON.stringify(sort)}) { __typename } }`);
    await refused(format, `query ($sort: [String]) { ${manyOf(target)}(sort: $sort) { __typename } }`, {
      sort: ["id", sort],
    });
  }
  if (target.path.length === 0) return;
  const text = selecting(format, target, "__typename", `(sort: "${target.name}")`);
  if (text !== undefined) await refused(format, text);
});

/** Everything that the schema lets select, down to a depth. */
const everything = (type: GraphQLObjectType, depth: number): string => {
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const found = getNamedType(field.type);
    if (isUnionType(found)) {
      if (depth === 0) return [];
      const members = found.getTypes().map((each) => {
        // One name has different types in different members.
        const own = everything(each, depth - 1);
        return `... on ${each.name} { __typename ${aliased(own, each.name)} }`;
      });
      return [`${field.name} { ${members.join(" ")} }`];
    }
    if (!isObjectType(found)) return [field.name];
    return depth === 0 ? [] : [`${field.name} { __typename ${everything(found, depth - 1)} }`];
  });
  return parts.join(" ");
};

/** The fields of a selection under aliases of their own; only those of the first level can clash. */
const aliased = (selection: string, prefix: string): string => {
  let depth = 0;
  return selection
    .split(" ")
    .map((word) => {
      const at = depth;
      if (word === "{") depth += 1;
      if (word === "}") depth -= 1;
      return at === 0 && /^\w+$/.test(word) && word !== "__typename" ? `${prefix}_${word}: ${word}` : word;
    })
    .join(" ");
};

test.each(formats)("%s: whatever is selected, nothing hidden is shown", async (format) => {
  const query = schemas[format].getQueryType();
  for (const root of ["articles", "authors", "categories", "comments"]) {
    const field = query?.getFields()[root];
    const type = field && getNamedType(field.type);
    if (!isObjectType(type)) throw new Error(`no query ${root}`);
    const states =
      format === "flat"
        ? ["status: PUBLISHED", "status: DRAFT"]
        : ["publicationState: LIVE", "publicationState: PREVIEW"];
    for (const state of states) {
      const selection = everything(type, format === "flat" ? 2 : 5);
      const { status, text } = await ask(format, `{ ${root}(${state}) { ${selection} } }`);
      expect(status, text.slice(0, 500)).toBe(200);
    }
  }
});

test("there is a way to something hidden behind every kind of attribute", () => {
  const names = targets.map(label);
  for (const name of [
    "secret",
    "pin",
    "ghost",
    "author.token",
    "seo.key",
    "seo.links.url",
    "categories.code",
    "vaults",
  ]) {
    expect(names).toContain(`article.${name}`);
  }
});
