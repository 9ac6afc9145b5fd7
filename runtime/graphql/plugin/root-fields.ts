/** The operations of content types: `t.findOne`, `t.create` and their kin. */
import { MutationFieldBuilder, QueryFieldBuilder } from "@pothos/core";
import type { MutationFields, OutputField, QueryFields } from "../builder.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { Action } from "../extension/shadow-crud.ts";
import { findCollection, findList, findOne, findSingle } from "../operations/reads.ts";
import * as writes from "../operations/writes.ts";
import { operation } from "../schema/access.ts";
import { listArgs, localeArg, publicationArgs, publicationStateArg, statusArg } from "../schema/arguments.ts";
import { read } from "../schema/read.ts";
import { readsAll } from "../schema/ready.ts";
import { collectionResponse, documentResponse } from "../schema/responses.ts";
import { type Scope, scopeOf } from "../schema/scope.ts";
import { filtersOf, inputOf } from "./members.ts";
import type { GraphqlFormat } from "./options.ts";
import type { Permission } from "./words.ts";

/** What an operation is of. */
const subjectOf = (t: QueryFields | MutationFields, name: string) => {
  const scope = scopeOf(t.builder);
  return { scope, declaration: scope.catalog.type(scope.catalog.named(name).uid) };
};

/** What the plugin and the checks have to know of a field: whose operation it is, and the permission that it takes. */
const common = ({ uid }: TypeDeclaration, action: Action, { can }: Permission, format?: GraphqlFormat) =>
  ({ can, nullable: true, extensions: operation({ uid, action, format }) }) as const;

const versionArgs = (scope: Scope, t: QueryFields) =>
  scope.format === "entity" ? publicationStateArg(scope, t) : publicationArgs(scope, t);

const listQueryArgs = (scope: Scope, t: QueryFields, declaration: TypeDeclaration) => ({
  ...listArgs(scope, t, filtersOf(scope, declaration)),
  ...versionArgs(scope, t),
  ...localeArg(t, declaration.type),
});

Object.assign(QueryFieldBuilder.prototype, {
  findOne(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration } = subjectOf(this, name);
    return this.field({
      ...common(declaration, "findOne", permission),
      type: documentResponse(scope, name),
      args: {
        ...(scope.format === "entity"
          ? { id: this.arg.id() }
          : { documentId: this.arg.id({ required: true }), ...publicationArgs(scope, this) }),
        ...localeArg(this, declaration.type),
      },
      resolve: readsAll(findOne(scope), declaration),
    });
  },
  findMany(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration } = subjectOf(this, name);
    if (scope.format === "entity") return collection(this, name, permission);
    return this.field({
      ...common(declaration, "find", permission),
      type: [scope.refs.object(name)],
      nullable: { list: false, items: true },
      args: listQueryArgs(scope, this, declaration),
      resolve: readsAll(findList(scope), declaration),
    });
  },
  findConnection(this: QueryFields, name: string, permission: Permission): OutputField {
    return collection(this, name, permission, "flat");
  },
  findSingle(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration } = subjectOf(this, name);
    return this.field({
      ...common(declaration, "find", permission),
      type: documentResponse(scope, name),
      args: { ...versionArgs(scope, this), ...localeArg(this, declaration.type) },
      resolve: readsAll(findSingle(scope), declaration),
    });
  },
});

const collection = (t: QueryFields, name: string, permission: Permission, format?: GraphqlFormat): OutputField => {
  const { scope, declaration } = subjectOf(t, name);
  return t.field({
    ...common(declaration, "find", permission, format),
    type: collectionResponse(scope, name),
    args: listQueryArgs(scope, t, declaration),
    resolve: readsAll(findCollection(scope), declaration),
  });
};

/** Of the document that is meant; a single type has but one. */
const identityArg = ({ format }: Scope, t: MutationFields, { type }: TypeDeclaration) =>
  type.kind === "singleType" ? {} : { [format === "entity" ? "id" : "documentId"]: t.arg.id({ required: true }) };

/** What is written, and which version of it is answered. */
const writeArgs = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) => ({
  ...(scope.format === "flat" ? statusArg(scope, t) : {}),
  data: t.arg({ type: inputOf(scope, declaration), required: true }),
  ...localeArg(t, declaration.type),
});

function update(this: MutationFields, name: string, permission: Permission): OutputField {
  const { scope, declaration } = subjectOf(this, name);
  const isSingle = declaration.type.kind === "singleType";
  return this.field({
    ...common(declaration, "update", permission),
    type: documentResponse(scope, name),
    args: { ...identityArg(scope, this, declaration), ...writeArgs(scope, this, declaration) },
    resolve: writes.resolveWrite(isSingle ? writes.updateSingle : writes.update, scope, declaration),
  });
}

function remove(this: MutationFields, name: string, permission: Permission): OutputField {
  const { scope, declaration } = subjectOf(this, name);
  const isSingle = declaration.type.kind === "singleType";
  return this.field({
    ...common(declaration, "delete", permission),
    type: scope.format === "entity" ? documentResponse(scope, name) : deletion(scope),
    args: { ...identityArg(scope, this, declaration), ...localeArg(this, declaration.type) },
    resolve: writes.resolveWrite(isSingle ? writes.removeSingle : writes.remove, scope, declaration),
  });
}

/** The flat format answers a deletion with the documentId alone. */
const deletion = (scope: Scope) =>
  scope.refs.define("DeleteMutationResponse", (t) => ({ documentId: t.id({ nullable: false, resolve: read }) }));

Object.assign(MutationFieldBuilder.prototype, {
  create(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration } = subjectOf(this, name);
    return this.field({
      ...common(declaration, "create", permission),
      type: documentResponse(scope, name),
      args: writeArgs(scope, this, declaration),
      resolve: writes.resolveWrite(writes.create, scope, declaration),
    });
  },
  update,
  updateSingle: update,
  remove,
  removeSingle: remove,
  createLocalization(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration } = subjectOf(this, name);
    return this.field({
      ...common(declaration, "update", permission, "entity"),
      type: documentResponse(scope, name),
      args: {
        id: this.arg.id(),
        data: this.arg({ type: inputOf(scope, declaration) }),
        ...localeArg(this, declaration.type),
      },
      resolve: writes.resolveWrite(writes.createLocalization, scope, declaration),
    });
  },
});
