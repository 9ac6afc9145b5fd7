/** Checks the GraphQL names that `enumName` gives enumerations. */
import { problems } from "../diagnostics/codes.ts";
import type { Report } from "../diagnostics/diagnostic.ts";
import { DERIVED, type Names } from "./assign-names.ts";
import { derivedEnumName, isGraphqlName } from "./names.ts";
import { type Prepared, valueIn } from "./prepared.ts";
import { GRAPHQL_TYPES } from "./reserved.ts";

/** GraphQL types other than enumerations of attributes. */
const typesOf = ({ contentTypes, components }: Names): ReadonlySet<string> => {
  const made = [...contentTypes.values(), ...components.values()].map(({ graphql }) => graphql);
  return new Set([...GRAPHQL_TYPES, ...made, ...made.flatMap((name) => DERIVED.map((suffix) => name + suffix))]);
};

/** The definition behind an enumeration's name in the schema. */
interface Known {
  readonly attribute: string;
  readonly values: readonly string[];
}

const hasSame = ({ values }: Known, others: readonly string[]): boolean =>
  values.length === others.length && others.every((value) => values.includes(value));

/** Reports names that GraphQL forbids, names of other types, and a name shared by different enumerations. */
export const checkEnumNames = ({ contentTypes, components }: Prepared, names: Names, report: Report): void => {
  const taken = typesOf(names);
  const known = new Map<string, Known>();
  const graphqlNames = new Map(
    [...names.contentTypes, ...names.components].map(([owner, { graphql }]) => [owner, graphql]),
  );
  for (const owner of [...contentTypes, ...components]) {
    for (const [attribute, schema] of owner.attributes) {
      if (schema.type !== "enumeration") continue;
      const { enumName } = schema;
      const name = enumName ?? derivedEnumName(graphqlNames.get(owner) ?? "", attribute);
      const place = valueIn(owner, "attributes", attribute, ...(enumName === undefined ? [] : ["enumName"]));
      if (!isGraphqlName(name) || name.startsWith("__")) {
        if (enumName !== undefined) report(problems.enumTypeName, place, { attribute, name });
        continue;
      }
      const other = known.get(name);
      const values = [...new Set(schema.enum ?? [])];
      if (taken.has(name)) report(problems.enumTypeTaken, place, { attribute, name });
      else if (other === undefined) known.set(name, { attribute, values });
      else if (!hasSame(other, values))
        report(problems.enumTypeShared, place, { attribute, name, other: other.attribute });
    }
  }
};
