/** Filter inputs in the grammar of the read engine: `{ title: { eq: "a" } }` becomes `{ title: { $eq: "a" } }`. */
import type { Attributes, Catalog, Declaration, TypeDeclaration } from "../catalog.ts";
import { targetOf } from "../target.ts";

type Input = Readonly<Record<string, unknown>>;

const isInput = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Translates a filter input of a content type; names stay, and the read engine checks them. */
export const typeFilter = (catalog: Catalog, declaration: TypeDeclaration, input: unknown): unknown =>
  groupFilter(input, (name, value) => {
    // The entity format knows documents by `id`.
    if (name === "id") return ["documentId", operators(value)];
    if (name === "localizations") return [name, typeFilter(catalog, declaration, value)];
    return [name, memberFilter(catalog, declaration.attributes(), name, value)];
  });

/** The same for a component. */
export const componentFilter = (catalog: Catalog, declaration: Declaration, input: unknown): unknown =>
  groupFilter(input, (name, value) => [name, memberFilter(catalog, declaration.attributes(), name, value)]);

const memberFilter = (catalog: Catalog, attributes: Attributes, name: string, value: unknown): unknown => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute?.type === "component") return componentFilter(catalog, catalog.component(attribute.component), value);
  const target = attribute && targetOf(attribute);
  if (target !== undefined) return typeFilter(catalog, catalog.type(target), value);
  return operators(value);
};

type Translate = (name: string, value: unknown) => readonly [string, unknown];

const groupFilter = (input: unknown, translate: Translate): unknown => {
  if (!isInput(input)) return input ?? undefined;
  const filter: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (name === "and" || name === "or") {
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      filter[`$${name}`] = items.filter(isInput).map((item) => groupFilter(item, translate));
    } else if (name === "not") {
      filter["$not"] = groupFilter(value ?? {}, translate);
    } else {
      const [key, translated] = translate(name, value);
      filter[key] = translated;
    }
  }
  return filter;
};

/** The operators of one scalar; null alone asks for rows without a value. */
const operators = (input: unknown): unknown => {
  if (!isInput(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [`$${name}`, name === "not" ? operators(value) : value]),
  );
};
