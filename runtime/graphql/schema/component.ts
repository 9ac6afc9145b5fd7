/** Components: an object with an id, an input, a filter input. */
import type { InputRef, ObjectRef } from "../builder.ts";
import type { ComponentDeclaration } from "../declaration.ts";
import { filterFields, groups, inputFields, type Owner, outputFields } from "./fields.ts";
import { read } from "./read.ts";
import type { Scope } from "./scope.ts";

const ownerOf = ({ component, fields }: ComponentDeclaration): Owner => ({
  uid: component.uid,
  attributes: component.attributes,
  fields: fields(),
});

export const componentObject = (scope: Scope, declaration: ComponentDeclaration): ObjectRef =>
  scope.refs.implementedObject(declaration.name, (ref) =>
    ref.implement({
      fields: (t) => ({
        id: t.id({ resolve: read }),
        ...outputFields(scope, ownerOf(declaration))(t),
      }),
    }),
  );

export const componentInput = (scope: Scope, declaration: ComponentDeclaration): InputRef =>
  scope.refs.implementedInput(`${declaration.name}Input`, (ref) =>
    ref.implement({
      fields: (t) => ({
        id: t.id(),
        ...inputFields(scope, ownerOf(declaration))(t),
      }),
    }),
  );

export const componentFilters = (scope: Scope, declaration: ComponentDeclaration): InputRef =>
  scope.refs.implementedInput(`${declaration.name}FiltersInput`, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...filterFields(scope, ownerOf(declaration))(t),
        ...groups(t, ref),
      }),
    }),
  );
