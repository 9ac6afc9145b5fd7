/** Content types: the object, its input and its filter input. */
import type { InputFields, InputRef, ObjectFields, ObjectRef } from "../builder.ts";
import type { TypeDeclaration } from "../declaration.ts";
import { filterFields, groups, inputFields, type Owner, outputFields } from "./fields.ts";
import { read } from "./read.ts";
import { localizationFields } from "./relation.ts";
import { scalarFilter } from "./scalar-filters.ts";
import type { Scope } from "./scope.ts";

const ownerOf = ({ type, fields }: TypeDeclaration): Owner => ({
  uid: type.uid,
  attributes: type.attributes,
  fields: fields(),
});

const isShown = (scope: Scope, { type }: TypeDeclaration, name: string, side: "output" | "filters"): boolean => {
  const field = scope.shadow.type(type.uid).field(name);
  const enabled = side === "output" ? field.hasOutputEnabled() : field.hasFiltersEnabled();
  return enabled && !type.privateFields?.includes(name);
};

const TIMESTAMPS = ["createdAt", "updatedAt", "publishedAt"] as const;

const timestamps = (scope: Scope, declaration: TypeDeclaration, t: ObjectFields) =>
  Object.fromEntries(
    TIMESTAMPS.filter((name) => isShown(scope, declaration, name, "output")).map((name) => [
      name,
      t.field({ type: "DateTime", nullable: true, resolve: read }),
    ]),
  );

/** `X`: in the flat format it carries the documentId itself, in the entity format its entity does. */
export const typeObject = (scope: Scope, declaration: TypeDeclaration): ObjectRef =>
  scope.refs.implementedObject(declaration.name, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...(scope.format === "flat" ? { documentId: t.id({ resolve: read }) } : {}),
        ...outputFields(scope, ownerOf(declaration))(t),
        ...timestamps(scope, declaration, t),
        ...(declaration.type.localized ? localizationFields(scope, t, declaration) : {}),
        ...(declaration.type.localized ? { locale: t.string({ nullable: true, resolve: read }) } : {}),
      }),
    }),
  );

/** System members of an input. They are accepted where clients send them; the server sets them itself. */
const systemInputs = (scope: Scope, { type }: TypeDeclaration, t: InputFields) => ({
  ...(scope.format === "entity"
    ? { createdAt: t.field({ type: "DateTime" }), updatedAt: t.field({ type: "DateTime" }) }
    : {}),
  publishedAt: t.field({ type: "DateTime" }),
  ...(scope.format === "flat" && !type.localized ? { locale: t.string() } : {}),
});

export const typeInput = (scope: Scope, declaration: TypeDeclaration): InputRef =>
  scope.refs.implementedInput(`${declaration.name}Input`, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...inputFields(scope, ownerOf(declaration))(t),
        ...systemInputs(scope, declaration, t),
      }),
    }),
  );

/** The id that a filter knows a document by. */
const identityFilter = (scope: Scope, t: InputFields) => {
  const name = scope.format === "entity" ? "id" : "documentId";
  return { [name]: t.field({ type: scalarFilter(scope, "ID") }) };
};

/** Single types are found without a filter, so they have none. */
export const typeFilters = (scope: Scope, declaration: TypeDeclaration): InputRef | undefined =>
  declaration.type.kind === "singleType"
    ? undefined
    : scope.refs.implementedInput(`${declaration.name}FiltersInput`, (ref) =>
        ref.implement({
          fields: (t) => ({
            ...identityFilter(scope, t),
            ...filterFields(scope, ownerOf(declaration))(t),
            ...Object.fromEntries(
              TIMESTAMPS.filter((name) => isShown(scope, declaration, name, "filters")).map((name) => [
                name,
                t.field({ type: scalarFilter(scope, "DateTime") }),
              ]),
            ),
            ...(declaration.type.localized
              ? { localizations: t.field({ type: ref }), locale: t.field({ type: scalarFilter(scope, "String") }) }
              : {}),
            ...groups(t, ref),
          }),
        }),
      );
