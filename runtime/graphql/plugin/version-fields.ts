/** The operations of content types on stored versions: `t.findVersions` and so on. */
import { MutationFieldBuilder, QueryFieldBuilder } from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import type { MutationFields, OutputField, QueryFields } from "../builder.ts";
import type { GraphqlContext, Node } from "../context.ts";
import type { Arguments, Call } from "../operations/operations.ts";
import * as versions from "../operations/versions.ts";
import { localeArg, publicationStatus } from "../schema/arguments.ts";
import { read } from "../schema/read.ts";
import { documentResponse } from "../schema/responses.ts";
import type { Scope } from "../schema/scope.ts";
import { paginationArg } from "../schema/shared-types.ts";
import { identityArg, operationOf } from "./root-fields.ts";
import type { Permission } from "./words.ts";

const versionType = (scope: Scope) =>
  scope.refs.define("DocumentVersion", (t) => ({
    id: t.id({ nullable: false, resolve: read }),
    documentId: t.id({ nullable: false, resolve: read }),
    locale: t.string({ resolve: read }),
    status: t.string({ nullable: false, resolve: read }),
    action: t.string({ nullable: false, resolve: read }),
    at: t.field({ type: "DateTime", nullable: false, resolve: read }),
    by: t.field({ type: "JSON", resolve: read }),
    changed: t.field({ type: "JSON", resolve: read }),
    restored: t.int({ resolve: read }),
    gone: t.field({ type: "JSON", resolve: ({ gone }) => (typeof gone === "function" ? gone() : null) }),
  }));

type Operation = ReturnType<typeof operationOf>;

const resolve =
  <Answer>(answer: (call: Call) => Promise<Answer>, { scope, declaration }: Operation) =>
  (_root: unknown, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo): Promise<Answer> =>
    answer({ scope, declaration, args, context, info });

const lists = (t: QueryFields, operation: Operation, answer: (call: Call) => Promise<readonly Node[]>, args: object) =>
  t.field({
    ...operation.options,
    type: [versionType(operation.scope)],
    args: {
      ...args,
      ...localeArg(t, operation.declaration.type),
      status: t.arg({ type: publicationStatus(operation.scope) }),
      pagination: t.arg({ type: paginationArg(operation.scope) }),
    },
    resolve: resolve(answer, operation),
  });

const versionArg = (t: QueryFields | MutationFields) => ({ version: t.arg.int({ required: true }) });

Object.assign(QueryFieldBuilder.prototype, {
  findVersions(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    return lists(this, operation, versions.findVersions, identityArg(operation.scope, this, operation.declaration));
  },
  findDeleted(this: QueryFields, name: string, permission: Permission): OutputField {
    return lists(this, operationOf(this, name, permission, "find"), versions.findDeleted, {});
  },
  findVersion(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    const { scope, declaration, options } = operation;
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: { ...identityArg(scope, this, declaration), ...versionArg(this) },
      resolve: resolve(versions.findVersion, operation),
    });
  },
  compareVersions(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    const { scope, declaration, options } = operation;
    return this.field({
      ...options,
      type: "JSON",
      args: { ...identityArg(scope, this, declaration), ...versionArg(this), to: this.arg.int() },
      resolve: resolve(versions.compareVersions, operation),
    });
  },
});

Object.assign(MutationFieldBuilder.prototype, {
  restoreVersion(this: MutationFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "update");
    const { scope, declaration, options } = operation;
    return this.field({
      ...options,
      type: documentResponse(scope, name),
      args: { ...identityArg(scope, this, declaration), ...versionArg(this) },
      resolve: resolve(versions.restoreVersion, operation),
    });
  },
});
