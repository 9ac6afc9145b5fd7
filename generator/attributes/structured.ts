/** Attributes that hold a JSON document: `json` and `blocks`. */
import type { ScalarAttribute } from "../model/model.ts";
import { modified, scalarMember, standard } from "./common.ts";
import { type AttributeEntry, modules } from "./entry.ts";
import { call, code, text } from "./expression.ts";
import { exposed } from "./graphql.ts";
import { property } from "./literal.ts";
import { scalarDescriptor } from "./scalar.ts";

const documentTypes: Readonly<Record<string, string>> = { json: "Json", blocks: "Blocks" };

export const isStructured = (type: string): boolean => Object.hasOwn(documentTypes, type);

export const structured: AttributeEntry<ScalarAttribute> = {
  columns: (attribute, scope) => [[attribute.name, call(scope.value(modules.pgCore, "json"), text(attribute.column))]],
  indexes: () => [],
  descriptor: (attribute, owner) => scalarDescriptor(attribute, owner && code(property(owner.table, attribute.name))),
  validator: (attribute, scope) =>
    modified(
      attribute,
      call(scope.value(modules.validators, attribute.type)),
      { absent: "nullish", default: standard(attribute.default) },
      scope,
    ),
  document: (attribute, scope) =>
    scalarMember(attribute, [scope.type(modules.document, documentTypes[attribute.type] ?? "Json")], scope),
  graphql: (attribute) => exposed(attribute, "JSON"),
};
