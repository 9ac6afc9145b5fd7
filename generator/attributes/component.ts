/** Components and dynamic zones: JSON in the row of the version that contains them. */
import type { ComponentAttribute, DynamicZoneAttribute } from "../model/model.ts";
import { commonView, limit, type ModelIndex } from "./common.ts";
import { stringLiteral } from "./literal.ts";
import type { ComponentView, DynamicZoneView } from "./view.ts";

/** A list that is not required may be empty, whatever its minimum. */
const listView = ({ column, min, max, required }: ComponentAttribute | DynamicZoneAttribute) => ({
  column: stringLiteral(column),
  min: limit(min),
  max: limit(max),
  orEmpty: !required && min !== undefined && min > 0,
});

export const componentView = (attribute: ComponentAttribute, index: ModelIndex): ComponentView => {
  const { repeatable, component } = attribute;
  const { names } = index.component(component);
  return {
    kind: "component",
    ...commonView(attribute, { absent: repeatable ? "optional" : "nullish" }),
    ...listView(attribute),
    component: stringLiteral(component),
    repeatable,
    schema: names.schemaConst,
    document: names.interface,
    graphql: stringLiteral(names.graphql),
  };
};

export const dynamicZoneView = (attribute: DynamicZoneAttribute, index: ModelIndex): DynamicZoneView => ({
  kind: "dynamiczone",
  ...commonView(attribute, { absent: "optional" }),
  ...listView(attribute),
  components: attribute.components.map((uid) => {
    const { entryConst, interface: document, graphql } = index.component(uid).names;
    return { uid: stringLiteral(uid), entry: entryConst, document, graphql: stringLiteral(graphql) };
  }),
  union: stringLiteral(attribute.graphqlUnion),
});
