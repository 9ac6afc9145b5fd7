/** The operations of content types: `t.findOne`, `t.create` and so on. */
import { MutationFieldBuilder, QueryFieldBuilder } from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import type { MutationFields, OutputField, QueryFields } from "../builder.ts";
import type { TypeDeclaration } from "../catalog.ts";
import type { GraphqlContext } from "../context.ts";
import type { Action } from "../extension/shadow-crud.ts";
import type { Arguments, Call, GraphqlFormat } from "../operations/operations.ts";
import { resolveRead } from "../operations/reads.ts";
import * as writes from "../operations/writes.ts";
import {
  foundArgs,
  listArgs,
  localeArg,
  publicationArgs,
  publicationStateArg,
  readLocaleArgs,
  searchArg,
  statusArg,
  translationArgs,
} from "../schema/arguments.ts";
import { operation } from "../schema/guards.ts";
import { read } from "../schema/ready.ts";
import { collectionResponse, documentResponse } from "../schema/responses.ts";
import { type Scope, scopeOf } from "../schema/scope.ts";
import { filtersOf, inputOf } from "./members.ts";
import type { Permission } from "./words.ts";

type Work<Answer> = (call: Call) => Promise<Answer>;

/**
 * The operation on the content type of this name, with the options that the plugin and the checks read: the type, and
 * the required permission.
 *
 * @param format the only format that has the operation
 */
export const operationOf = (
  { builder }: QueryFields | MutationFields,
  name: string,
  { can }: Permission,
  action: Action,
  format?: GraphqlFormat,
) => {
  const scope = scopeOf(builder);
  const declaration = scope.catalog.type(scope.catalog.named(name).uid);
  const options = { can, nullable: true, extensions: operation({ uid: declaration.uid, action, format }) } as const;
  return {
    scope,
    declaration,
    options,
    isSingle: declaration.type.kind === "singleType",
    /** The resolver, whose work may depend on the format. */
    resolved:
      <Answer>(work: Work<Answer> | Readonly<Record<GraphqlFormat, Work<Answer>>>) =>
      (_root: unknown, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo): Promise<Answer> =>
        (typeof work === "function" ? work : work[scope.format])({ scope, declaration, args, context, info }),
  };
};

const versionArgs = (scope: Scope, t: QueryFields) =>
  scope.format === "entity" ? publicationStateArg(scope, t) : publicationArgs(scope, t);

const listQueryArgs = (scope: Scope, t: QueryFields, declaration: TypeDeclaration) => ({
  ...listArgs(scope, t, filtersOf(scope, declaration)),
  ...searchArg(scope, t, declaration.type),
  ...versionArgs(scope, t),
  ...readLocaleArgs(scope, t, declaration.type),
});

Object.assign(QueryFieldBuilder.prototype, {
  findOne(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options } = operationOf(this, name, permission, "findOne");
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: {
        ...(scope.format === "entity"
          ? { id: this.arg.id() }
          : { documentId: this.arg.id({ required: true }), ...publicationArgs(scope, this) }),
        ...readLocaleArgs(scope, this, declaration.type),
      },
      resolve: resolveRead({ scope, declaration, reads: "one" }),
    });
  },
  findMany(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options } = operationOf(this, name, permission, "find");
    if (scope.format === "entity") return page(this, name, permission);
    return this.field({
      ...options,
      type: [scope.refs.object(name)],
      nullable: { list: false, items: true },
      args: listQueryArgs(scope, this, declaration),
      resolve: resolveRead({ scope, declaration, reads: "list" }),
    });
  },
  findConnection(this: QueryFields, name: string, permission: Permission): OutputField {
    return page(this, name, permission, "flat");
  },
  findSingle(this: QueryFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options } = operationOf(this, name, permission, "find");
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: { ...versionArgs(scope, this), ...readLocaleArgs(scope, this, declaration.type) },
      resolve: resolveRead({ scope, declaration, reads: "single" }),
    });
  },
});

const page = (t: QueryFields, name: string, permission: Permission, format?: GraphqlFormat): OutputField => {
  const { scope, declaration, options } = operationOf(t, name, permission, "find", format);
  return t.field({
    ...options,
    type: collectionResponse(scope, name),
    args: { ...listQueryArgs(scope, t, declaration), ...foundArgs(scope, t, declaration.type) },
    resolve: resolveRead({ scope, declaration, reads: "page" }),
  });
};

/** The id of the document; none for a single type, which has only one document. */
export const identityArg = ({ format }: Scope, t: QueryFields | MutationFields, { type }: TypeDeclaration) =>
  type.kind === "singleType" ? {} : { [format === "entity" ? "id" : "documentId"]: t.arg.id({ required: true }) };

/** What to write, and which version to answer with. */
const writeArgs = (scope: Scope, t: MutationFields, declaration: TypeDeclaration) => ({
  ...(scope.format === "flat" ? statusArg(scope, t) : {}),
  data: t.arg({ type: inputOf(scope, declaration), required: true }),
});

function update(this: MutationFields, name: string, permission: Permission): OutputField {
  const { scope, declaration, options, isSingle, resolved } = operationOf(this, name, permission, "update");
  return this.field({
    ...options,
    type: documentResponse(scope, name),
    args: {
      ...identityArg(scope, this, declaration),
      ...writeArgs(scope, this, declaration),
      ...translationArgs(this, declaration.type),
    },
    resolve: resolved(isSingle ? writes.updateSingle : writes.update),
  });
}

function remove(this: MutationFields, name: string, permission: Permission): OutputField {
  const { scope, declaration, options, isSingle, resolved } = operationOf(this, name, permission, "delete");
  return this.field({
    ...options,
    type: scope.format === "entity" ? documentResponse(scope, name) : deletion(scope),
    args: { ...identityArg(scope, this, declaration), ...localeArg(this, declaration.type) },
    resolve: resolved(isSingle ? writes.removeSingle : writes.remove),
  });
}

const scheduleType = (scope: Scope) =>
  scope.refs.define("DocumentSchedule", (t) => ({
    documentId: t.id({ nullable: false, resolve: read }),
    locale: t.string({ resolve: read }),
    publishAt: t.field({ type: "DateTime", resolve: read }),
    unpublishAt: t.field({ type: "DateTime", resolve: read }),
    last: t.field({ type: "JSON", resolve: read }),
  }));

/** The flat format answers a deletion with only the documentId. */
const deletion = (scope: Scope) =>
  scope.refs.define("DeleteMutationResponse", (t) => ({ documentId: t.id({ nullable: false, resolve: read }) }));

Object.assign(MutationFieldBuilder.prototype, {
  create(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options, resolved } = operationOf(this, name, permission, "create");
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: { ...writeArgs(scope, this, declaration), ...localeArg(this, declaration.type) },
      resolve: resolved(writes.create),
    });
  },
  update,
  updateSingle: update,
  schedule(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options, resolved } = operationOf(this, name, permission, "update");
    return this.field({
      ...options,
      type: scheduleType(scope),
      args: {
        ...identityArg(scope, this, declaration),
        ...localeArg(this, declaration.type),
        publishAt: this.arg({ type: "DateTime" }),
        unpublishAt: this.arg({ type: "DateTime" }),
      },
      resolve: resolved(writes.schedule),
    });
  },
  remove,
  removeSingle: remove,
  createLocalization(this: MutationFields, name: string, permission: Permission): OutputField {
    const { scope, declaration, options, resolved } = operationOf(this, name, permission, "update", "entity");
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: {
        id: this.arg.id(),
        data: this.arg({ type: inputOf(scope, declaration) }),
        ...translationArgs(this, declaration.type),
      },
      resolve: resolved(writes.createLocalization),
    });
  },
});
