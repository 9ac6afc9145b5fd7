/** Random GraphQL operations over everything that a schema offers. */
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql";
import type { Random } from "../../../scripts/chaos/random.ts";
import { type Asking, isOpen, owners, sortKey, value } from "./rest-questions.ts";

const HIDDEN = ["secret", "pin", "token", "createdBy", "vaults", "hidden", "code"];

/** The uid of a type or component, by its name in the schema. */
const ownerOf = (name: string): string | undefined =>
  owners.find(({ uid }) => [uid.split(".").pop(), `component${uid}`].some((each) => plain(each) === plain(name)))?.uid;

const plain = (name = ""): string => name.replaceAll(/\W/g, "").toLowerCase();

const literal = (asking: Asking, type: GraphQLInputType, depth: number): string => {
  if (isNonNullType(type)) return literal(asking, type.ofType, depth);
  if (isListType(type)) return `[${literal(asking, type.ofType, depth)}]`;
  if (isEnumType(type)) return asking.random.pick(type.getValues()).name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => depth > 0 || !isInputObjectType(getNamedType(field.type)),
    );
    if (fields.length === 0) return "{}";
    const field = asking.random.pick(fields);
    return `{ ${field.name}: ${literal(asking, field.type, depth - 1)} }`;
  }
  return scalar(asking.random, type.name);
};

const scalar = (random: Random, type: string): string => {
  switch (type) {
    case "Int":
    case "Long":
      return String(random.below(6));
    case "Float":
      return String(random.below(6) / 2);
    case "Boolean":
      return String(random.chance(0.5));
    case "Date":
      return '"2020-01-02"';
    case "DateTime":
      return '"2020-01-02T03:04:05.006Z"';
    case "Time":
      return '"09:00:00.000"';
    default:
      return JSON.stringify(value(random));
  }
};

const argument = (asking: Asking, { name, type }: GraphQLArgument, uid: string): string => {
  if (name === "sort") return `sort: [${JSON.stringify(sortKey(asking, uid))}]`;
  if (name === "pagination")
    return `pagination: { start: ${asking.random.below(3)}, limit: ${1 + asking.random.below(3)} }`;
  if (name === "locale") return `locale: ${JSON.stringify(asking.random.pick(["en", "fr", "all", "*"]))}`;
  return `${name}: ${literal(asking, type, 4)}`;
};

const argumentsOf = (asking: Asking, given: readonly GraphQLArgument[], uid: string): string => {
  const chosen = given.filter(({ type }) => isNonNullType(type) || asking.random.chance(0.25));
  return chosen.length === 0 ? "" : `(${chosen.map((each) => argument(asking, each, uid)).join(", ")})`;
};

const selection = (asking: Asking, type: GraphQLNamedType, depth: number): string => {
  if (isUnionType(type)) {
    const members = type.getTypes().filter(() => asking.random.chance(0.6));
    const parts = members.map((each) => `... on ${each.name} { __typename ${aliased(asking, each, depth - 1)} }`);
    return ` { __typename ${parts.join(" ")} }`;
  }
  return isObjectType(type) ? ` { __typename ${aliased(asking, type, depth - 1)} }` : "";
};

let aliases = 0;

/** Some fields under names of their own: one name has different types in different members of a union. */
const aliased = (asking: Asking, type: GraphQLNamedType, depth: number): string => {
  if (!isObjectType(type)) return "";
  const owner = ownerOf(type.name);
  const wrapper = /Entity|Response|Connection|Collection/.test(type.name);
  const fields = Object.values(type.getFields()).filter(({ name, type: each }) => {
    const named = getNamedType(each);
    if (depth <= 0 && (isObjectType(named) || isUnionType(named))) return false;
    if (owner && !isOpen(asking.caller, owner, name) && !asking.random.chance(0.01)) return false;
    return wrapper || asking.random.chance(0.4);
  });
  const parts = fields.map((field) => {
    aliases = (aliases + 1) % 100_000;
    const named = getNamedType(field.type);
    return `f${aliases}: ${field.name}${argumentsOf(asking, field.args, type.name)}${selection(asking, named, depth)}`;
  });
  return [...parts, ...(asking.random.chance(0.03) ? [asking.random.pick(HIDDEN)] : [])].join(" ");
};

const ROOTS = /^(articles?|authors?|categor(y|ies)|comments?|uploadFiles?)(_connection)?$/;

/** One operation over the queries of the schema. */
export const graphqlQuestion = (asking: Asking, schema: GraphQLSchema): string => {
  aliases = 0;
  const query = schema.getQueryType();
  if (!query) throw new Error("the schema has no queries");
  const roots = Object.values(query.getFields()).filter(({ name }) => ROOTS.test(name));
  const root = asking.random.pick(roots);
  const uid = /author/.test(root.name)
    ? "api::author.author"
    : /cat/.test(root.name)
      ? "api::category.category"
      : "api::article.article";
  return `{ ${root.name}${argumentsOf(asking, root.args, uid)}${selection(asking, getNamedType(root.type), 8)} }`;
};
