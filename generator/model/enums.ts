import slugify from "@sindresorhus/slugify";
import type { GraphqlEnum } from "./model.ts";
import { isGraphqlName } from "./names.ts";

/** Words that GraphQL reads as values of their own. */
const LITERALS = new Set(["true", "false", "null"]);

/** The name of an enum value in GraphQL; values that are names already stay as they are. */
const toGraphqlName = (value: string): string => {
  const slug = isGraphqlName(value) ? value : slugify(value, { separator: "_", lowercase: false, decamelize: false });
  if (isGraphqlName(slug) && !LITERALS.has(slug) && !slug.startsWith("__")) return slug;
  // Names that begin with two are GraphQL's own.
  return `_${slug.replace(/^_+/, "")}`;
};

/**
 * Names the distinct `values`, in their order. A name that is taken gets a number.
 *
 * @returns the enumeration, and values whose slug is no GraphQL name, or is the name of an earlier value
 */
export const nameEnum = (name: string, values: readonly string[]) => {
  const taken = new Set<string>();
  const renamed: { value: string; name: string }[] = [];
  const members = values.map((value) => {
    const wanted = toGraphqlName(value);
    let given = wanted;
    for (let number = 2; taken.has(given); number += 1) given = `${wanted === "_" ? "" : wanted}_${number}`;
    taken.add(given);
    const slugged = given.startsWith("_") && given !== value;
    if (given !== wanted || slugged) renamed.push({ value, name: given });
    return { name: given, value };
  });
  const graphql: GraphqlEnum = { name, members };
  return { graphql, renamed };
};
