/** Components and dynamic zones: JSON in the row of the version that contains them. */
import type { ComponentAttribute, DynamicZoneAttribute } from "../model/model.ts";
import { commonView, limit, type ModelIndex } from "./common.ts";
import { stringLiteral } from "./literal.ts";

const listView = ({ column, index, min, max, required }: ComponentAttribute | DynamicZoneAttribute) => ({
  column: stringLiteral(column),
  index,
  min: limit(min),
  max: limit(max),
  /** A list that is not required may be empty, whatever its minimum. */
  orEmpty: !required && min !== undefined && min > 0,
});

export const componentView = (attribute: ComponentAttribute, index: ModelIndex) => {
  const { repeatable, component } = attribute;
  const { names } = index.component(component);
  return {
    kind: "component" as const,
    ...commonView(attribute, { absent: repeatable ? "optional" : "nullish" }),
    ...listView(attribute),
    component: stringLiteral(component),
    repeatable,
    schema: names.schemaConst,
    document: names.interface,
    graphql: stringLiteral(names.graphql),
  };
};

export const dynamicZoneView = (attribute: DynamicZoneAttribute, index: ModelIndex) => ({
  kind: "dynamiczone" as const,
  ...commonView(attribute, { absent: "optional" }),
  ...listView(attribute),
  components: attribute.components.map((uid) => {
    const { entryConst, interface: document, graphql } = index.component(uid).names;
    return { uid: stringLiteral(uid), entry: entryConst, document, graphql: stringLiteral(graphql) };
  }),
  /** The name of the GraphQL union. */
  union: stringLiteral(attribute.graphqlUnion),
});
