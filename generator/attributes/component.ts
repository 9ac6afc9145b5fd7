/** Components and dynamic zones: JSON in the row of the version that owns them. */
import type { ComponentAttribute, DynamicZoneAttribute } from "../model/model.ts";
import { descriptorFlags, populated, validatorOptions } from "./common.ts";
import { type AttributeEntry, modules, type Scope } from "./entry.ts";
import { array, call, callWith, code, type Expression, flag, object, optional, text } from "./expression.ts";
import { leading } from "./graphql.ts";
import { property, stringLiteral } from "./literal.ts";

const jsonColumn = ({ name, column }: ComponentAttribute | DynamicZoneAttribute, scope: Scope) =>
  [[name, call(scope.value(modules.pgCore, "json"), text(column))]] as const;

const validatorConst = (uid: string, scope: Scope): string => {
  const { path, validatorConst: name } = scope.component(uid).names;
  return scope.generatedValue(path, name);
};

const interfaceOf = (uid: string, scope: Scope): string => {
  const { path, interface: name } = scope.component(uid).names;
  return scope.generatedType(path, name);
};

const graphqlName = (uid: string, scope: Scope): Expression => text(scope.component(uid).names.graphql);

const limits = ({ min, max }: ComponentAttribute | DynamicZoneAttribute) =>
  [
    ["min", optional(min)],
    ["max", optional(max)],
  ] as const;

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
    callWith(
      scope.value(modules.validators, attribute.repeatable ? "components" : "component"),
      [code(validatorConst(attribute.component, scope))],
      object([...validatorOptions(attribute), ...(attribute.repeatable ? limits(attribute) : [])]),
    ),
  document: ({ component: uid, repeatable }, scope) => populated(interfaceOf(uid, scope), repeatable),
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
  validator: (attribute, scope) =>
    callWith(
      scope.value(modules.validators, "dynamicZone"),
      [object(attribute.components.map((uid) => [uid, code(validatorConst(uid, scope))]))],
      object([...validatorOptions(attribute), ...limits(attribute)]),
    ),
  document: ({ components }, scope) => {
    const members = components.map((uid) => `    ${stringLiteral(uid)}: ${interfaceOf(uid, scope)};\n`);
    const zone = scope.type(modules.contentType, "DynamicZone");
    return { optional: true, union: [members.length === 0 ? `${zone}<{}>` : `${zone}<{\n${members.join("")}  }>`] };
  },
  graphql: (attribute, scope) => {
    const components = array(attribute.components.map((uid) => graphqlName(uid, scope)));
    return leading("zone", attribute, [text(attribute.graphqlUnion), components], true);
  },
};
