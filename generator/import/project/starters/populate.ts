/** Validates a populate: an invalid default query would refuse every request. */
import type { Value } from "../code/value-type.ts";

type Attribute = Readonly<Record<string, unknown>>;
type Attributes = ReadonlyMap<string, Attribute>;

/** The attributes of types and components, by uid. */
export interface Schemas {
  readonly types: ReadonlyMap<string, Attributes>;
  readonly components: ReadonlyMap<string, Attributes>;
}

const PLAIN: ReadonlySet<string> = new Set(["relation", "component", "dynamiczone", "media"]);

const isPopulatable = ({ type }: Attribute): boolean => typeof type === "string" && PLAIN.has(type);

const targetOf = (schemas: Schemas, { type, target, component }: Attribute): Attributes | undefined => {
  if (type === "relation" && typeof target === "string") return schemas.types.get(target);
  return type === "component" && typeof component === "string" ? schemas.components.get(component) : undefined;
};

const isFlag = (value: Value): boolean => value.kind === "literal" && (value.value === true || value.value === "*");

const named = (schemas: Schemas, attributes: Attributes, path: string): boolean => {
  const [name = "", ...rest] = path.split(".");
  const attribute = attributes.get(name);
  if (attribute === undefined || !isPopulatable(attribute)) return false;
  const target = targetOf(schemas, attribute);
  return rest.length === 0 || (target !== undefined && named(schemas, target, rest.join(".")));
};

const isText = (value: Value): value is Extract<Value, { kind: "literal" }> & { value: string } =>
  value.kind === "literal" && typeof value.value === "string";

const below = (schemas: Schemas, attribute: Attribute, value: Value): boolean => {
  if (isFlag(value)) return true;
  const target = targetOf(schemas, attribute);
  if (value.kind !== "record") return false;
  return [...value.members].every(([name, inner]) => {
    if (name === "fields" && target)
      return inner.kind === "list" && inner.items.every((item) => isText(item) && target.has(item.value));
    if (name !== "populate") return false;
    return isFlag(inner) || (target !== undefined && valid(schemas, target, inner));
  });
};

const valid = (schemas: Schemas, attributes: Attributes, value: Value): boolean => {
  if (isFlag(value)) return true;
  if (isText(value)) return value.value.split(",").every((path) => named(schemas, attributes, path.trim()));
  if (value.kind === "list") return value.items.every((item) => isText(item) && named(schemas, attributes, item.value));
  if (value.kind !== "record") return false;
  return [...value.members].every(([name, inner]) => {
    const attribute = attributes.get(name);
    return attribute !== undefined && isPopulatable(attribute) && below(schemas, attribute, inner);
  });
};

/** Whether the value is a populate of the type that every request may use. */
export const isPopulate = (schemas: Schemas, uid: string, value: Value): boolean => {
  const attributes = schemas.types.get(uid);
  return attributes !== undefined && valid(schemas, attributes, value);
};
