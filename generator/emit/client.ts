import { call, text } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import type { ContentType } from "../model/model.ts";
import { camelCase } from "../model/names.ts";
import { Namespace } from "../model/namespace.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { hasRoutes } from "./rest.ts";
import { fileScope } from "./scope.ts";

const FILE = "client/index.ts";
const MODULE = "galley-cms/client";
const USERS = "plugin::users-permissions.user";

/** What every client has, and whether it is about users; with what the language takes a `then` for. */
const BUILT_IN = { auth: true, files: false, locales: false, users: true };
const RESERVED = [...Object.keys(BUILT_IN), "request", "then"];

/** What makes the part for a content type. */
const partOf = ({ kind, draftAndPublish }: ContentType): string =>
  `${kind === "singleType" ? "single" : "collection"}${draftAndPublish ? "WithDrafts" : ""}`;

/** The first segment of its routes. */
const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === "singleType" ? singularName : pluralName;

/** `client/index.ts`: a typed client of the server, for front ends. */
export const emitClient: Emitter = ({ model, index, client }) => {
  if (!client) return [];
  const scope = fileScope(FILE, ["createClient"], index);
  const names = new Namespace(RESERVED);
  const helper = (name: string, uid?: string): string =>
    scope.value(MODULE, name) + (uid === undefined ? "" : `<${JSON.stringify(uid)}>`);
  const content = model.contentTypes.filter(hasRoutes).map((type) => {
    const path = pathOf(type);
    const name = camelCase(path);
    return memberLine([names.take(name, `${name}Type`), call(helper(partOf(type), type.uid), text(path))], 2);
  });
  const builtIn = Object.entries(BUILT_IN).map(([name, ofUsers]) =>
    memberLine([name, call(helper(name, ofUsers ? USERS : undefined))], 2),
  );
  const types = model.contentTypes.flatMap(({ names: { folder, interface: document, input } }) => [
    `export type { ${document} } from "${scope.imports.module(`${folder}/document`)}";`,
    `export type { ${input} } from "${scope.imports.module(`${folder}/validator`)}";`,
  ]);
  const defineClient = scope.value(MODULE, "defineClient");
  const view = { types, parts: [...content, ...builtIn], defineClient, imports: scope.imports.toString() };
  return [{ path: FILE, text: render("client.ts", view) }];
};
