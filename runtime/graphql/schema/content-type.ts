/** Content types: the object, its input and its filter input. */
import type { InputRef, ObjectRef } from "../builder.ts";
import type { TypeDeclaration } from "../declaration.ts";
import { filterFields, groups, inputFields, type Owner, outputFields } from "./fields.ts";
import type { Scope } from "./scope.ts";
import { identityField, identityFilter, systemFields, systemFilters, systemInputs } from "./system-fields.ts";

const ownerOf = ({ type, fields }: TypeDeclaration): Owner => ({
  uid: type.uid,
  attributes: type.attributes,
  fields: fields(),
});

/** `X`: in the flat format it carries the documentId itself, in the entity format its entity does. */
export const typeObject = (scope: Scope, declaration: TypeDeclaration): ObjectRef =>
  scope.refs.implementedObject(declaration.name, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...identityField(scope, declaration, t),
        ...outputFields(scope, ownerOf(declaration))(t),
        ...systemFields(scope, declaration, t),
      }),
    }),
  );

export const typeInput = (scope: Scope, declaration: TypeDeclaration): InputRef =>
  scope.refs.implementedInput(`${declaration.name}Input`, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...inputFields(scope, ownerOf(declaration))(t),
        ...systemInputs(scope, declaration, t),
      }),
    }),
  );

/** Single types are found without a filter, so they have none. */
export const typeFilters = (scope: Scope, declaration: TypeDeclaration): InputRef | undefined =>
  declaration.type.kind === "singleType"
    ? undefined
    : scope.refs.implementedInput(`${declaration.name}FiltersInput`, (ref) =>
        ref.implement({
          fields: (t) => ({
            ...identityFilter(scope, declaration, t),
            ...filterFields(scope, ownerOf(declaration))(t),
            ...systemFilters(scope, declaration, t, ref),
            ...groups(t, ref),
          }),
        }),
      );
