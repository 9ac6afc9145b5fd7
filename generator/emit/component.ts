import { stringLiteral } from "../attributes/literal.ts";
import type { Attribute, Model } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { graphqlView } from "./graphql.ts";
import { schemaView } from "./schemas.ts";
import { labelsOf, sourceLine } from "./texts.ts";

/** The components listed in any dynamic zone. */
const inZones = ({ contentTypes, components }: Model): ReadonlySet<string> =>
  new Set(
    [...contentTypes, ...components].flatMap(({ attributes }) =>
      attributes.flatMap((attribute) => (attribute.kind === "dynamiczone" ? attribute.components : [])),
    ),
  );

/** The components that drafts may contain: those of types with drafts, and those nested in them. */
const inDrafts = ({ contentTypes, components }: Model): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (attributes: readonly Attribute[]): void => {
    for (const attribute of attributes) {
      const listed = attribute.kind === "dynamiczone" ? attribute.components : [];
      for (const uid of attribute.kind === "component" ? [attribute.component] : listed) {
        if (found.has(uid)) continue;
        found.add(uid);
        visit(components.find((each) => each.uid === uid)?.attributes ?? []);
      }
    }
  };
  for (const { attributes, draftAndPublish } of contentTypes) if (draftAndPublish) visit(attributes);
  return found;
};

/**
 * `components/<category>/<name>.ts`: the interface, descriptor and Zod schemas of a component; and its `.graphql.ts`.
 */
export const emitComponents: Emitter = (input) => {
  const zones = inZones(input.model);
  const drafts = inDrafts(input.model);
  return input.model.components.flatMap((component) => [
    {
      path: `${component.names.path}.ts`,
      template: "component.ts",
      view: {
        ...component.names,
        ...schemaView(component, drafts.has(component.uid), input),
        source: sourceLine(component.file),
        uid: stringLiteral(component.uid),
        ...labelsOf(component.name, component),
        /** Components have no table. */
        tableConst: "",
        inComponent: true,
        /** Whether any dynamic zone lists it. */
        inZone: zones.has(component.uid),
      },
    },
    { path: `${component.names.path}.graphql.ts`, template: "graphql.ts", view: graphqlView(component, input) },
  ]);
};
