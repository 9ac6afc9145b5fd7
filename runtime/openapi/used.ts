/** Finds the named parts of the document that are used. */
import { isRecord } from "../base/is-record.ts";
import type { JsonObject } from "./json-schema.ts";

const collect = (value: unknown, found: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  else if (isRecord(value)) {
    if (typeof value["$ref"] === "string") found.add(value["$ref"]);
    for (const member of Object.values(value)) collect(member, found);
  }
};

type Components = Readonly<Record<string, JsonObject>>;

/** The components to which paths refer, directly or indirectly. */
export const usedComponents = (paths: JsonObject, components: Components): Components => {
  const found = new Set<string>();
  collect(paths, found);
  // Iterating a set includes items that are added meanwhile.
  for (const place of found) {
    const [, , kind = "", name = ""] = place.split("/");
    collect(components[kind]?.[name], found);
  }
  const pick = (kind: string, parts: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => found.has(`#/components/${kind}/${name}`)));
  return Object.fromEntries(Object.entries(components).map(([kind, parts]) => [kind, pick(kind, parts)]));
};
