/** Determines which content types a response about a type may contain. */
import type { Attributes } from "./attributes.ts";
import type { Attribute, Field, Uid } from "./content-type.ts";
import { fileType } from "./file-type.ts";
import type { Registry } from "./registry.ts";

/** The type itself and all types to which its relations, media and components lead, directly or indirectly. */
export const reachableFrom = (registry: Registry, uid: Uid): ReadonlySet<Uid> => {
  const types = new Set<Uid>();
  const components = new Set<string>();
  const everything = (): Uid[] => Object.values(registry.contentTypes).map(({ type }) => type.uid);

  const visitAttribute = (attribute: Attribute | Field): void => {
    switch (attribute.type) {
      case "media":
        visitType(fileType.uid);
        return;
      case "relation":
        if ("target" in attribute) visitType(attribute.target);
        else everything().forEach(visitType);
        return;
      case "component":
        visitComponent(attribute.component);
        return;
      case "dynamiczone":
        attribute.components.forEach(visitComponent);
        return;
      default:
    }
  };
  const visitAll = (attributes: Attributes): void => Object.values(attributes).forEach(visitAttribute);
  const visitComponent = (component: Parameters<Registry["component"]>[0]): void => {
    if (components.has(component)) return;
    components.add(component);
    visitAll(registry.component(component).attributes);
  };
  const visitType = (type: Uid): void => {
    if (types.has(type)) return;
    types.add(type);
    visitAll((type === fileType.uid ? fileType : registry.contentType(type)).attributes);
  };
  visitType(uid);
  return types;
};
