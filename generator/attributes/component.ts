/** Components and dynamic zones: JSON in the row of the version that owns them. */
import type { ComponentAttribute, DynamicZoneAttribute } from "../model/model.ts";
import { descriptorFlags, isPresent, limited, linkMember, modified, zod } from "./common.ts";
import { type AttributeEntry, modules, type Scope } from "./entry.ts";
import { array, call, code, type Expression, flag, object, text, chained } from "./expression.ts";
import { leading } from "./graphql.ts";
import { property, stringLiteral } from "./literal.ts";

const jsonColumn = ({ name, column }: ComponentAttribute | DynamicZoneAttribute, scope: Scope) =>
  [[name, call(scope.value(modules.pgCore, "json"), text(column))]] as const;

const schemaConst = (uid: string, scope: Scope): string => {
  const { path, schemaConst: name } = scope.component(uid).names;
  return scope.generatedValue(path, name);
};

const entryConst = (uid: string, scope: Scope): string => {
  const { path, entryConst: name } = scope.component(uid).names;
  return scope.generatedValue(path, name);
};

const interfaceOf = (uid: string, scope: Scope): string => {
  const { path, interface: name } = scope.component(uid).names;
  return scope.generatedType(path, name);
};

const graphqlName = (uid: string, scope: Scope): Expression => text(scope.component(uid).names.graphql);

/** A list of entries; one that is not required may be empty, whatever its lower limit. */
const list = (attribute: ComponentAttribute | DynamicZoneAttribute, entry: Expression, scope: Scope): Expression => {
  const { min, max, required } = attribute;
  const limits = [
    ["min", min],
    ["max", max],
  ] as const;
  const entries = limited(zod(scope, "array", entry), limits);
  const isEmptyToo = !required && min !== undefined && min > 0;
  const schema = isEmptyToo ? chained(entries, "or", zod(scope, "tuple", array([]))) : entries;
  return modified(attribute, schema, { absent: "optional" }, scope);
};

const zoneEntry = ({ components }: DynamicZoneAttribute, scope: Scope): Expression =>
  components.length === 0
    ? zod(scope, "never")
    : zod(
        scope,
        "discriminatedUnion",
        text("__component"),
        array(components.map((uid) => code(entryConst(uid, scope)))),
      );

export const component: AttributeEntry<ComponentAttribute> = {
  columns: jsonColumn,
  indexes: () => [],
  descriptor: (attribute, owner) =>
    object([
      ["type", text("component")],
      ["component", text(attribute.component)],
      ["repeatable", flag(attribute.repeatable)],
      ["column", owner && code(property(owner.table, attribute.name))],
      ...descriptorFlags(attribute),
    ]),
  validator: (attribute, scope) =>
    attribute.repeatable
      ? list(attribute, code(schemaConst(attribute.component, scope)), scope)
      : modified(attribute, code(schemaConst(attribute.component, scope)), { absent: "nullish" }, scope),
  document: (attribute, scope) =>
    linkMember(attribute, () => {
      const entry = interfaceOf(attribute.component, scope);
      if (attribute.repeatable) return [`${entry}[]`];
      return isPresent(attribute) ? [entry] : [entry, "null"];
    }),
  graphql: (attribute, scope) =>
    leading(
      attribute.repeatable ? "components" : "component",
      attribute,
      [graphqlName(attribute.component, scope)],
      true,
    ),
};

export const dynamicZone: AttributeEntry<DynamicZoneAttribute> = {
  columns: jsonColumn,
  indexes: () => [],
  descriptor: (attribute, owner) =>
    object([
      ["type", text("dynamiczone")],
      ["components", array(attribute.components.map(text))],
      ["column", owner && code(property(owner.table, attribute.name))],
      ...descriptorFlags(attribute),
    ]),
  validator: (attribute, scope) => list(attribute, zoneEntry(attribute, scope), scope),
  document: (attribute, scope) =>
    linkMember(attribute, () => {
      const members = attribute.components.map((uid) => `    ${stringLiteral(uid)}: ${interfaceOf(uid, scope)};\n`);
      const zone = scope.type(modules.document, "DynamicZone");
      return [members.length === 0 ? `${zone}<{}>` : `${zone}<{\n${members.join("")}  }>`];
    }),
  graphql: (attribute, scope) => {
    const components = array(attribute.components.map((uid) => graphqlName(uid, scope)));
    return leading("zone", attribute, [text(attribute.graphqlUnion), components], true);
  },
};
