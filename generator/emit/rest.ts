import { stringContent } from "../attributes/literal.ts";
import type { ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";

/** Types of plugins are served by routes of the runtime. */
export const hasRoutes = ({ uid }: ContentType): boolean => uid.startsWith("api::");

/** The first segment of the routes of a type. */
export const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === "singleType" ? singularName : pluralName;

/** `<type>/rest.ts`: the routes, each with the permission that it asks for. */
export const emitRoutes: Emitter = ({ model }) =>
  model.contentTypes.filter(hasRoutes).map((type) => ({
    path: `${type.names.folder}/rest.ts`,
    text: render("rest.ts", {
      ...type.names,
      source: sourceLine(type.file),
      uid: stringContent(type.uid),
      path: stringContent(pathOf(type)),
      single: type.kind === "singleType",
      draftAndPublish: type.draftAndPublish,
    }),
  }));
