import slugify from "@sindresorhus/slugify";
import type { GraphqlEnum } from "./model.ts";
import { isGraphqlName } from "./names.ts";

/** Words that GraphQL reserves as values. */
const LITERALS = new Set(["true", "false", "null"]);

/** The GraphQL name of an enum value; values that are valid names stay as they are. */
const toGraphqlName = (value: string): string => {
  const slug = isGraphqlName(value) ? value : slugify(value, { separator: "_", lowercase: false, decamelize: false });
  if (isGraphqlName(slug) && !LITERALS.has(slug) && !slug.startsWith("__")) return slug;
  // GraphQL reserves names that start with two underscores.
  return `_${slug.replace(/^_+/, "")}`;
};

/**
 * Names the distinct `values`, in order. Appends a number to a name that is taken.
 *
 * @returns the enumeration, and values whose slug is an invalid GraphQL name, or the name of an earlier value
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
