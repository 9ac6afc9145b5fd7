/** GraphQL operations on stored versions of documents. */
import { NotFoundError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { VersionInfo } from "../../client/answers.ts";
import * as documents from "../../documents/operations/index.ts";
import { shown } from "../../documents/read-hooks.ts";
import type { Json } from "../../schema/content-type.ts";
import type { Node } from "../context.ts";
import type { Call } from "./operations.ts";
import { documentRows, nodeOf, readContext } from "./reads.ts";

const contextOf = ({ scope, context }: Call): documents.OperationContext => readContext(scope, context);

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
  return (await versionsOf(call).find(contextOf(call), call.declaration.type, wanted, { fields: ["documentId"] }))
    ?.gone;
};

const nodesOf = (call: Call, versions: readonly VersionInfo[]): readonly Node[] =>
  versions.map((version) => ({ ...version, gone: () => goneOf(call, version) }));

export const findVersions = async (call: Call): Promise<readonly Node[]> =>
  nodesOf(
    call,
    (await versionsOf(call).list(contextOf(call), call.declaration.type, idOf(call), queryOf(call))).versions,
  );

export const findDeleted = async (call: Call): Promise<readonly Node[]> =>
  nodesOf(call, (await versionsOf(call).deleted(contextOf(call), call.declaration.type, queryOf(call))).versions);

/** A document in the shape of the format. */
const answerOf = async (call: Call, found: Parameters<typeof nodeOf>[0]): Promise<Node | null> => {
  const node = nodeOf(found && (await shown(call.context, found)));
  return call.scope.format === "entity" ? { data: node } : node;
};

export const findVersion = async (call: Call): Promise<Node | null> => {
  const query = { ...documentRows(call) };
  const found = await versionsOf(call).find(contextOf(call), call.declaration.type, wantedOf(call), query);
  return answerOf(call, found?.document ?? null);
};

export const compareVersions = async (call: Call): Promise<Json> => {
  const to = call.args["to"] ?? undefined;
  const query = to === undefined ? {} : { to };
  const found = await versionsOf(call).compare(contextOf(call), call.declaration.type, wantedOf(call), query);
  if (!found) throw new NotFoundError("Version not found");
  return JSON.parse(JSON.stringify(found));
};

export const restoreVersion = async (call: Call): Promise<Node | null> => {
  const request = { data: {}, query: { ...documentRows(call) } };
  const restored = await versionsOf(call).restore(contextOf(call), call.declaration.type, wantedOf(call), request);
  if (!restored) throw new NotFoundError("Version not found");
  return answerOf(call, restored.done.shown);
};
