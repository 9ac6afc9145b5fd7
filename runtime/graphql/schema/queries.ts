/** The fields of `Query` that a content type gets. */
import type { TypeDeclaration } from "../declaration.ts";
import type { Operations } from "../operations/operations.ts";
import { requires } from "./access.ts";
import { listArgs, localeArg, publicationArgs, publicationStateArg } from "./arguments.ts";
import { documentResponse, subjectOf } from "./names.ts";
import { readsAll } from "./ready.ts";
import { collectionResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** Adds what the extension service has not switched off. */
export const addQueries = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void => {
  const { uid, kind } = declaration.type;
  const { shadow } = scope;
  if (kind === "singleType") {
    if (shadow.offers(uid, "find")) addSingle(scope, declaration, operations);
    return;
  }
  if (shadow.offers(uid, "findOne")) addOne(scope, declaration, operations);
  if (!shadow.offers(uid, "find")) return;
  if (scope.format === "entity") addEntityList(scope, declaration, operations);
  else addFlatLists(scope, declaration, operations);
};

const actionOf = ({ type, actions }: TypeDeclaration, action: "find" | "findOne"): string =>
  actions?.[action] ?? `${type.uid}.${action}`;

const addSingle = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void =>
  scope.builder.queryField(declaration.one, (t) =>
    t.field({
      type: documentResponse(scope, declaration),
      nullable: true,
      extensions: requires(actionOf(declaration, "find")),
      args: {
        ...(scope.format === "entity" ? publicationStateArg(scope, t) : publicationArgs(scope, t)),
        ...localeArg(t, declaration),
      },
      resolve: readsAll(operations.findSingle, declaration),
    }),
  );

const addOne = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void =>
  scope.builder.queryField(declaration.one, (t) =>
    t.field({
      type: documentResponse(scope, declaration),
      nullable: true,
      extensions: requires(actionOf(declaration, "findOne")),
      args: {
        ...(scope.format === "entity"
          ? { id: t.arg.id() }
          : { documentId: t.arg.id({ required: true }), ...publicationArgs(scope, t) }),
        ...localeArg(t, declaration),
      },
      resolve: readsAll(operations.findOne, declaration),
    }),
  );

const addEntityList = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void =>
  scope.builder.queryField(declaration.many, (t) =>
    t.field({
      type: collectionResponse(scope, subjectOf(scope, declaration)),
      nullable: true,
      extensions: requires(actionOf(declaration, "find")),
      args: {
        ...listArgs(scope, t, scope.make.filters(declaration)),
        ...publicationStateArg(scope, t),
        ...localeArg(t, declaration),
      },
      resolve: readsAll(operations.findCollection, declaration),
    }),
  );

const addFlatLists = (scope: Scope, declaration: TypeDeclaration, operations: Operations): void => {
  const name = declaration.many;
  const extensions = requires(actionOf(declaration, "find"));
  scope.builder.queryFields((t) => {
    const args = {
      ...listArgs(scope, t, scope.make.filters(declaration)),
      ...publicationArgs(scope, t),
      ...localeArg(t, declaration),
    };
    return {
      [`${name}_connection`]: t.field({
        type: collectionResponse(scope, subjectOf(scope, declaration)),
        nullable: true,
        extensions,
        args,
        resolve: readsAll(operations.findCollection, declaration),
      }),
      [name]: t.field({
        type: [scope.make.object(declaration)],
        nullable: { list: false, items: true },
        extensions,
        args,
        resolve: readsAll(operations.findList, declaration),
      }),
    };
  });
};
