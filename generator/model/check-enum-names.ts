/** What the GraphQL types of enumerations may be called by `enumName`. */
import { problems } from "../diagnostics/codes.ts";
import { diagnose } from "../diagnostics/diagnostic.ts";
import { DERIVED, type Names } from "./assign-names.ts";
import { isGraphqlName } from "./names.ts";
import { type Prepared, type Report, valueIn } from "./prepared.ts";
import { GRAPHQL_TYPES } from "./reserved.ts";

/** GraphQL types that are no enumerations of attributes. */
const typesOf = ({ contentTypes, components }: Names): ReadonlySet<string> => {
  const made = [...contentTypes.values(), ...components.values()].map(({ graphql }) => graphql);
  return new Set([...GRAPHQL_TYPES, ...made, ...made.flatMap((name) => DERIVED.map((suffix) => name + suffix))]);
};

/** Reports names that GraphQL does not allow, and those that another type has. */
export const checkEnumNames = ({ contentTypes, components }: Prepared, names: Names, report: Report): void => {
  const taken = typesOf(names);
  for (const owner of [...contentTypes, ...components]) {
    for (const [attribute, schema] of owner.attributes) {
      if (schema.type !== "enumeration" || schema.enumName === undefined) continue;
      const { enumName: name } = schema;
      const place = valueIn(owner, "attributes", attribute, "enumName");
      if (!isGraphqlName(name) || name.startsWith("__")) {
        report(diagnose(problems.enumTypeName, place, { attribute, name }));
      } else if (taken.has(name)) report(diagnose(problems.enumTypeTaken, place, { attribute, name }));
    }
  }
};
