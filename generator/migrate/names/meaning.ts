import type { AttributeOutline } from "../snapshot.ts";

const STORAGE = new Set(["column", "typeColumn", "positionColumn", "link"]);

/** An attribute's meaning according to its outline, as text: independent of how it is stored. */
export const meaning = (attribute: unknown): string =>
  JSON.stringify(attribute, (key, value: unknown) => (STORAGE.has(key) ? undefined : value));

/** Whether it may have several values. */
export const isMany = (attribute: AttributeOutline): boolean =>
  attribute.kind === "dynamiczone" ||
  (attribute.kind === "component" && attribute.repeatable === true) ||
  (attribute.kind === "media" && attribute.multiple === true) ||
  (attribute.kind === "relation" && attribute.many === true);
