/** The fields of `Mutation` that a content type gets. */
import type { ObjectRef } from "../builder.ts";
import type { TypeDeclaration } from "../declaration.ts";
import type { Operations } from "../operations/operations.ts";
import { requires } from "./access.ts";
import { localeArg, statusArg } from "./arguments.ts";
import { documentResponse } from "./names.ts";
import { read } from "./read.ts";
import type { Scope } from "./scope.ts";

/** Adds what the extension service has not switched off. */
export const addMutations = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void => {
  const { uid, kind, localized } = declaration.type;
  const { shadow, format } = scope;
  const single = kind === "singleType";
  if (!single && shadow.offers(uid, "create")) addCreate(scope, declaration, operations);
  if (shadow.offers(uid, "update")) addUpdate(scope, declaration, operations, single);
  if (shadow.offers(uid, "delete")) addDelete(scope, declaration, operations, single);
  if (format === "entity" && localized && shadow.offers(uid, "update")) {
    addLocalization(scope, declaration, operations);
  }
};

const addCreate = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void =>
  scope.builder.mutationField(`create${declaration.name}`, (t) =>
    t.field({
      type: documentResponse(scope, declaration),
      nullable: true,
      extensions: requires(`${declaration.type.uid}.create`),
      args: {
        ...(scope.format === "flat" ? statusArg(scope, t) : {}),
        data: t.arg({ type: scope.make.input(declaration), required: true }),
        ...localeArg(t, declaration),
      },
      resolve: (_root, args, context, info) => operations.create(declaration, args, context, info),
    }),
  );

const addUpdate = (scope: Scope, declaration: TypeDeclaration, operations: Operations, single: boolean): void =>
  scope.builder.mutationField(`update${declaration.name}`, (t) =>
    t.field({
      type: documentResponse(scope, declaration),
      nullable: true,
      extensions: requires(`${declaration.type.uid}.update`),
      args: {
        ...(single ? {} : { [identity(scope)]: t.arg.id({ required: true }) }),
        ...(scope.format === "flat" ? statusArg(scope, t) : {}),
        data: t.arg({ type: scope.make.input(declaration), required: true }),
        ...localeArg(t, declaration),
      },
      resolve: (_root, args, context, info) =>
        single
          ? operations.updateSingle(declaration, args, context, info)
          : operations.update(declaration, args, context, info),
    }),
  );

const addDelete = (scope: Scope, declaration: TypeDeclaration, operations: Operations, single: boolean): void =>
  scope.builder.mutationField(`delete${declaration.name}`, (t) =>
    t.field({
      type: scope.format === "entity" ? documentResponse(scope, declaration) : deletion(scope),
      nullable: true,
      extensions: requires(`${declaration.type.uid}.delete`),
      args: {
        ...(single ? {} : { [identity(scope)]: t.arg.id({ required: true }) }),
        ...localeArg(t, declaration),
      },
      resolve: (_root, args, context, info) =>
        single
          ? operations.removeSingle(declaration, args, context, info)
          : operations.remove(declaration, args, context, info),
    }),
  );

const addLocalization = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void =>
  scope.builder.mutationField(`create${declaration.name}Localization`, (t) =>
    t.field({
      type: documentResponse(scope, declaration),
      nullable: true,
      // The document is there already: this changes it.
      extensions: requires(`${declaration.type.uid}.update`),
      args: {
        id: t.arg.id(),
        data: t.arg({ type: scope.make.input(declaration) }),
        ...localeArg(t, declaration),
      },
      resolve: (_root, args, context, info) => operations.createLocalization(declaration, args, context, info),
    }),
  );

/** The argument that addresses a document. */
const identity = ({ format }: Scope): string => (format === "entity" ? "id" : "documentId");

/** The flat format answers a deletion with the documentId alone. */
const deletion = (scope: Scope): ObjectRef =>
  scope.refs.implementedObject("DeleteMutationResponse", (ref) =>
    ref.implement({
      fields: (t) => ({
        documentId: t.id({ resolve: read }),
      }),
    }),
  );
