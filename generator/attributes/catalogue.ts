/** From an attribute to the view for the templates of its kind (`templates/attributes`). */
import type { Attribute } from "../model/model.ts";
import type { ModelIndex } from "./common.ts";
import { componentView, dynamicZoneView } from "./component.ts";
import { mediaView } from "./media.ts";
import { relationView } from "./relation.ts";
import { scalarView } from "./scalar.ts";
import type { AttributeView } from "./view.ts";

export const attributeView = (attribute: Attribute, index: ModelIndex): AttributeView => {
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
