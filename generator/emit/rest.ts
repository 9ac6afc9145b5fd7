import { call, code, text } from "../attributes/expression.ts";
import { printExpression } from "../attributes/print.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly action: string;
  /** The handler factory in `galley-cms/rest`. */
  readonly handler: string;
}

/** What can be done to the draft and the published version of the document at `base`, besides writing it. */
const publicationRoutes = (base: string, suffix = ""): readonly Route[] =>
  [
    { path: "publish", action: "publish" },
    { path: "unpublish", action: "unpublish" },
    { path: "discard-draft", action: "discardDraft" },
  ].map(({ path, action }) => ({
    method: "post",
    path: `${base}/actions/${path}`,
    action,
    handler: `${action}${suffix}`,
  }));

const collectionRoutes = ({ pluralName, draftAndPublish }: ContentType): readonly Route[] => [
  { method: "get", path: `/${pluralName}`, action: "find", handler: "find" },
  { method: "post", path: `/${pluralName}`, action: "create", handler: "create" },
  { method: "get", path: `/${pluralName}/:documentId`, action: "findOne", handler: "findOne" },
  { method: "put", path: `/${pluralName}/:documentId`, action: "update", handler: "update" },
  { method: "delete", path: `/${pluralName}/:documentId`, action: "delete", handler: "remove" },
  ...(draftAndPublish ? publicationRoutes(`/${pluralName}/:documentId`) : []),
];

const singleRoutes = ({ singularName, draftAndPublish }: ContentType): readonly Route[] => [
  { method: "get", path: `/${singularName}`, action: "find", handler: "findSingle" },
  { method: "put", path: `/${singularName}`, action: "update", handler: "updateSingle" },
  { method: "delete", path: `/${singularName}`, action: "delete", handler: "removeSingle" },
  ...(draftAndPublish ? publicationRoutes(`/${singularName}`, "Single") : []),
];

const module = "galley-cms/rest";

const emitRoutesOf = (type: ContentType, scope: FileScope): string => {
  const routes = type.kind === "singleType" ? singleRoutes(type) : collectionRoutes(type);
  const descriptor = scope.generatedValue(`${type.names.folder}/type`, type.names.typeConst);
  const can = scope.value(module, "can");
  const view = {
    source: sourceLine(type.file),
    routesConst: type.names.routesConst,
    router: scope.value(module, "router"),
    routes: routes.map(({ method, path, action, handler }, index) => {
      const permission = call(can, text(`${type.uid}.${action}`));
      const handle = call(scope.value(module, handler), code(descriptor));
      const end = index === routes.length - 1 ? ";" : "";
      const line = printExpression(call(`.${method}`, text(path), permission, handle), {
        indent: 2,
        column: 2,
        after: end.length,
      });
      return `${line}${end}`;
    }),
  };
  return render("rest.ts", { ...view, imports: scope.imports.toString() });
};

/** Types of plugins are served by routes of the runtime. */
export const hasRoutes = ({ uid }: ContentType): boolean => uid.startsWith("api::");

/** `<type>/rest.ts`: the routes, each with the permission that it asks for. */
export const emitRoutes: Emitter = ({ model, index }) =>
  model.contentTypes.filter(hasRoutes).map((type) => {
    const path = `${type.names.folder}/rest.ts`;
    return { path, text: emitRoutesOf(type, fileScope(path, [type.names.routesConst], index)) };
  });
