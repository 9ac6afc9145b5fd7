/**
 * From an attribute to the view for the templates of its kind (`templates/attributes`): source text, "" if there is
 * none, and flags. Each template takes what its kind of file needs.
 */
import type { Attribute } from "../model/model.ts";
import type { ModelIndex } from "./common.ts";
import { componentView, dynamicZoneView } from "./component.ts";
import { mediaView } from "./media.ts";
import { relationView } from "./relation.ts";
import { scalarView } from "./scalar.ts";

export const attributeView = (attribute: Attribute, index: ModelIndex) => {
  switch (attribute.kind) {
    case "scalar":
      return scalarView(attribute, index);
    case "media":
      return mediaView(attribute);
    case "relation":
      return relationView(attribute, index);
    case "component":
      return componentView(attribute, index);
    case "dynamiczone":
      return dynamicZoneView(attribute, index);
  }
};

export type AttributeView = ReturnType<typeof attributeView>;
