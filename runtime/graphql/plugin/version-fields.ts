/** The operations of content types on stored versions: `t.findVersions` and so on. */
import { MutationFieldBuilder, QueryFieldBuilder } from "@pothos/core";
import { NotFoundError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { VersionInfo } from "../../client/answers.ts";
import * as documents from "../../documents/operations/index.ts";
import type { Json } from "../../schema/content-type.ts";
import type { MutationFields, OutputField, QueryFields } from "../builder.ts";
import type { Node } from "../context.ts";
import type { Call } from "../operations/operations.ts";
import { answerOf, documentRows, subjectOf } from "../operations/reads.ts";
import { localeArg, publicationStatus } from "../schema/arguments.ts";
import { read } from "../schema/ready.ts";
import { documentResponse } from "../schema/responses.ts";
import type { Scope } from "../schema/scope.ts";
import { paginationArg } from "../schema/shared-types.ts";
import { identityArg, operationOf } from "./root-fields.ts";
import type { Permission } from "./words.ts";

const idOf = ({ args }: Call): string => String(args["id"] ?? args["documentId"] ?? "");

const versionsOf = ({ context, declaration: { type } }: Call): documents.Versions =>
  documents.versionsOf(context.services, type);

const wantedOf = (call: Call): documents.WantedVersion => ({
  documentId: idOf(call),
  version: Number(call.args["version"]),
});

const queryOf = ({ args: { locale, status, pagination } }: Call) => ({
  locale: locale ?? undefined,
  status: status ?? undefined,
  pagination: isRecord(pagination) ? { ...pagination } : undefined,
});

/** The parts of a version that no longer exist; looked up only if selected. */
const goneOf = async (call: Call, { id, documentId }: VersionInfo) => {
  const wanted = { documentId, version: id };
  return (await versionsOf(call).find(...subjectOf(call), wanted, { fields: ["documentId"] }))?.gone;
};

const nodesOf = (call: Call, versions: readonly VersionInfo[]): readonly Node[] =>
  versions.map((version) => ({ ...version, gone: () => goneOf(call, version) }));

const findVersions = async (call: Call): Promise<readonly Node[]> =>
  nodesOf(call, (await versionsOf(call).list(...subjectOf(call), idOf(call), queryOf(call))).versions);

const findDeleted = async (call: Call): Promise<readonly Node[]> =>
  nodesOf(call, (await versionsOf(call).deleted(...subjectOf(call), queryOf(call))).versions);

const findVersion = async (call: Call): Promise<Node | null> => {
  const found = await versionsOf(call).find(...subjectOf(call), wantedOf(call), { ...documentRows(call) });
  return answerOf(call, found?.document);
};

const compareVersions = async (call: Call): Promise<Json> => {
  const to = call.args["to"] ?? undefined;
  const found = await versionsOf(call).compare(...subjectOf(call), wantedOf(call), to === undefined ? {} : { to });
  if (!found) throw new NotFoundError("Version not found");
  return JSON.parse(JSON.stringify(found));
};

const restoreVersion = async (call: Call): Promise<Node | null> => {
  const request = { data: {}, query: { ...documentRows(call) } };
  const restored = await versionsOf(call).restore(...subjectOf(call), wantedOf(call), request);
  if (!restored) throw new NotFoundError("Version not found");
  return answerOf(call, restored.done.shown);
};

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
    resolve: operation.resolved(answer),
  });

const versionArgs = (t: QueryFields | MutationFields, { scope, declaration }: Operation) => ({
  ...identityArg(scope, t, declaration),
  version: t.arg.int({ required: true }),
});

Object.assign(QueryFieldBuilder.prototype, {
  findVersions(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    return lists(this, operation, findVersions, identityArg(operation.scope, this, operation.declaration));
  },
  findDeleted(this: QueryFields, name: string, permission: Permission): OutputField {
    return lists(this, operationOf(this, name, permission, "find"), findDeleted, {});
  },
  findVersion(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    return this.field({
      ...operation.options,
      type: documentResponse(operation.scope, name),
      args: versionArgs(this, operation),
      resolve: operation.resolved(findVersion),
    });
  },
  compareVersions(this: QueryFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "findOne");
    return this.field({
      ...operation.options,
      type: "JSON",
      args: { ...versionArgs(this, operation), to: this.arg.int() },
      resolve: operation.resolved(compareVersions),
    });
  },
});

Object.assign(MutationFieldBuilder.prototype, {
  restoreVersion(this: MutationFields, name: string, permission: Permission): OutputField {
    const operation = operationOf(this, name, permission, "update");
    return this.field({
      ...operation.options,
      type: documentResponse(operation.scope, name),
      args: versionArgs(this, operation),
      resolve: operation.resolved(restoreVersion),
    });
  },
});
