/** Relations: a column with the target's documentId, a link table, or nothing where the other side stores it. */
import type { ColumnStorage, RelationAttribute } from "../model/model.ts";
import { descriptorFlags, linkMember, modified } from "./common.ts";
import { type AttributeEntry, type ColumnIndex, modules, type TableRef, type Scope } from "./entry.ts";
import { call, callWith, code, type Expression, type Property, number, object, optional, text } from "./expression.ts";
import { leading } from "./graphql.ts";
import { property } from "./literal.ts";

const columns = (name: string, storage: ColumnStorage, scope: Scope): readonly Property[] => {
  const column = (builder: string, columnName: string) => call(scope.value(modules.columns, builder), text(columnName));
  const { positionColumn, positionKey, typeColumn, typeKey } = storage;
  return [
    [name, column("toDocument", storage.column)],
    ...(typeColumn === undefined || typeKey === undefined ? [] : [[typeKey, column("morphType", typeColumn)] as const]),
    ...(positionColumn === undefined || positionKey === undefined
      ? []
      : [[positionKey, column("inversePosition", positionColumn)] as const]),
  ];
};

const index = (key: string, { positionKey }: ColumnStorage): ColumnIndex =>
  positionKey === undefined ? { key, purpose: "lookup" } : { key, purpose: "inverse", positionKey };

type Members = readonly (readonly [string, Expression | undefined])[];

/** Where the descriptor finds what is stored. */
const storageMembers = (attribute: RelationAttribute, owner: TableRef, scope: Scope): Members => {
  const { name, storage, inverse, relation } = attribute;
  const columnAt = (key: string | undefined) => (key === undefined ? undefined : code(property(owner.table, key)));
  switch (storage?.kind) {
    case "column":
      return [
        ["column", columnAt(name)],
        ["typeColumn", columnAt(storage.typeKey)],
        ["inverse", relation === "oneToOne" ? optional(inverse) : undefined],
        ["inversePosition", columnAt(storage.positionKey)],
      ];
    case "link":
      return [["link", code(scope.generatedValue(owner.tableFile, storage.tableConst))]];
    case "inverse":
      return [[relation === "morphOne" || relation === "morphMany" ? "morphBy" : "mappedBy", text(storage.by)]];
    default:
      return [];
  }
};

/** The type of the documents that a relation leads to. */
const targetType = ({ target }: RelationAttribute, scope: Scope): string => {
  if (target === undefined) return scope.type(modules.document, "MorphDocument");
  const { names } = scope.contentType(target);
  return scope.generatedType(`${names.folder}/document`, names.interface);
};

const schemaOf = ({ target, many, required }: RelationAttribute, scope: Scope) =>
  callWith(
    scope.value(
      modules.validators,
      target === undefined ? (many ? "toManyOfAny" : "toAny") : many ? "toMany" : "toOne",
    ),
    target === undefined ? [] : [text(target)],
    object([["min", many && required ? number(1) : undefined]]),
  );

export const relation: AttributeEntry<RelationAttribute> = {
  columns: ({ name, storage }, scope) => (storage?.kind === "column" ? columns(name, storage, scope) : []),
  indexes: ({ name, storage }) => (storage?.kind === "column" ? [index(name, storage)] : []),
  descriptor: (attribute, owner, scope) =>
    object([
      ["type", text("relation")],
      ["relation", text(attribute.relation)],
      ["target", optional(attribute.target)],
      ...(owner ? storageMembers(attribute, owner, scope) : []),
      ...descriptorFlags(attribute),
    ]),
  validator: (attribute, scope) =>
    modified(attribute, schemaOf(attribute, scope), { absent: attribute.many ? "optional" : "nullish" }, scope),
  document: (attribute, scope) =>
    linkMember(attribute, () => {
      const target = targetType(attribute, scope);
      // What it leads to may not be published: even a required relation may show nothing.
      return attribute.many ? [`${target}[]`] : [target, "null"];
    }),
  graphql: (attribute, scope) => {
    const { relation: kind, target, many } = attribute;
    if (kind === "morphOne" || kind === "morphMany") return undefined;
    if (target === undefined) return leading(many ? "morphs" : "morph", attribute, [], false);
    const { graphql } = scope.contentType(target).names;
    return leading(many ? "relations" : "relation", attribute, [text(graphql)], false);
  },
};
