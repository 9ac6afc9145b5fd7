/** The operations of content types: `t.findOne`, `t.create` and their kin. */
import { MutationFieldBuilder, QueryFieldBuilder } from "@pothos/core";
import type { MutationFields, OutputField, QueryFields } from "../builder.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { Action } from "../extension/shadow-crud.ts";
import { operation } from "../schema/access.ts";
import { listArgs, localeArg, publicationArgs, publicationStateArg, statusArg } from "../schema/arguments.ts";
import { read } from "../schema/read.ts";
import { readsAll } from "../schema/ready.ts";
import { collectionResponse, documentResponse } from "../schema/responses.ts";
import { ownerNamed, type Scope, scopeOf } from "../schema/scope.ts";
import { filtersOf, inputOf } from "./members.ts";
import type { GraphqlFormat } from "./options.ts";
import type { Permission } from "./words.ts";

/** What every operation of a type needs. */
const subject = (t: QueryFields | MutationFields, name: string) => {
  const scope = scopeOf(t.builder);
  const declaration = scope.catalog.typeNamed(name);
  if (!declaration) throw new Error(`nothing declares the content type ${name}`);
  return { scope, declaration, owner: ownerNamed(scope, name), operations: scope.operations };
};

/** What the plugin and the checks are told of a field: whose operation it is, and the permission that it takes. */
const common = ({ type }: TypeDeclaration, action: Action, { can }: Permission, format?: GraphqlFormat) =>
  ({ can, nullable: true, extensions: operation({ uid: type.uid, action, format }) }) as const;

/** Of the document that is meant. */
const identityArg = ({ format }: Scope, t: MutationFields) => ({
  [format === "entity" ? "id" : "documentId"]: t.arg.id({ required: true }),
});

const listQueryArgs = (t: QueryFields, name: string) => {
  const { scope, owner, declaration } = subject(t, name);
  return {
    ...listArgs(scope, t, filtersOf(scope, owner)),
    ...(scope.format === "entity" ? publicationStateArg(scope, t) : publicationArgs(scope, t)),
    ...localeArg(t, declaration.type),
  };
};

Object.assign(QueryFieldBuilder.prototype, {
  findOne(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, operations } = subject(this, name);
    return this.field({
      ...common(declaration, "findOne", permission),
      type: documentResponse(scope, name),
      args: {
        ...(scope.format === "entity"
          ? { id: this.arg.id() }
          : { documentId: this.arg.id({ required: true }), ...publicationArgs(scope, this) }),
        ...localeArg(this, declaration.type),
      },
      resolve: readsAll(operations.findOne, declaration),
    });
  },
  findMany(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, operations } = subject(this, name);
    if (scope.format === "entity") return collection(this, name, permission);
    return this.field({
      ...common(declaration, "find", permission),
      type: [scope.refs.object(name)],
      nullable: { list: false, items: true },
      args: listQueryArgs(this, name),
      resolve: readsAll(operations.findList, declaration),
    });
  },
  findConnection(this: QueryFields, name: string, permission: Permission): OutputField {
    return collection(this, name, permission, "flat");
  },
  findSingle(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, operations } = subject(this, name);
    return this.field({
      ...common(declaration, "find", permission),
      type: documentResponse(scope, name),
      args: {
        ...(scope.format === "entity" ? publicationStateArg(scope, this) : publicationArgs(scope, this)),
        ...localeArg(this, declaration.type),
      },
      resolve: readsAll(operations.findSingle, declaration),
    });
  },
});

const collection = (t: QueryFields, name: string, permission: Permission, format?: GraphqlFormat): OutputField => {
  const { scope, declaration, operations } = subject(t, name);
  return t.field({
    ...common(declaration, "find", permission, format),
    type: collectionResponse(scope, name),
    args: listQueryArgs(t, name),
    resolve: readsAll(operations.findCollection, declaration),
  });
};

const update = (t: MutationFields, name: string, permission: Permission, single: boolean): OutputField => {
  const { scope, declaration, owner, operations } = subject(t, name);
  const run = single ? operations.updateSingle : operations.update;
  return t.field({
    ...common(declaration, "update", permission),
    type: documentResponse(scope, name),
    args: {
      ...(single ? {} : identityArg(scope, t)),
      ...(scope.format === "flat" ? statusArg(scope, t) : {}),
      data: t.arg({ type: inputOf(scope, owner), required: true }),
      ...localeArg(t, declaration.type),
    },
    resolve: (_root, args, context, info) => run(declaration, args, context, info),
  });
};

const remove = (t: MutationFields, name: string, permission: Permission, single: boolean): OutputField => {
  const { scope, declaration, operations } = subject(t, name);
  const run = single ? operations.removeSingle : operations.remove;
  return t.field({
    ...common(declaration, "delete", permission),
    type: scope.format === "entity" ? documentResponse(scope, name) : deletion(scope),
    args: { ...(single ? {} : identityArg(scope, t)), ...localeArg(t, declaration.type) },
    resolve: (_root, args, context, info) => run(declaration, args, context, info),
  });
};

/** The flat format answers a deletion with the documentId alone. */
const deletion = (scope: Scope) =>
  scope.refs.implementedObject("DeleteMutationResponse", (ref) =>
    ref.implement({ fields: (t) => ({ documentId: t.id({ nullable: false, resolve: read }) }) }),
  );

Object.assign(MutationFieldBuilder.prototype, {
  create(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, owner, operations } = subject(this, name);
    return this.field({
      ...common(declaration, "create", permission),
      type: documentResponse(scope, name),
      args: {
        ...(scope.format === "flat" ? statusArg(scope, this) : {}),
        data: this.arg({ type: inputOf(scope, owner), required: true }),
        ...localeArg(this, declaration.type),
      },
      resolve: (_root, args, context, info) => operations.create(declaration, args, context, info),
    });
  },
  update(this: MutationFields, name: string, permission: Permission): OutputField {
    return update(this, name, permission, false);
  },
  remove(this: MutationFields, name: string, permission: Permission): OutputField {
    return remove(this, name, permission, false);
  },
  updateSingle(this: MutationFields, name: string, permission: Permission): OutputField {
    return update(this, name, permission, true);
  },
  removeSingle(this: MutationFields, name: string, permission: Permission): OutputField {
    return remove(this, name, permission, true);
  },
  createLocalization(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, owner, operations } = subject(this, name);
    return this.field({
      ...common(declaration, "update", permission, "entity"),
      type: documentResponse(scope, name),
      args: {
        id: this.arg.id(),
        data: this.arg({ type: inputOf(scope, owner) }),
        ...localeArg(this, declaration.type),
      },
      resolve: (_root, args, context, info) => operations.createLocalization(declaration, args, context, info),
    });
  },
});
