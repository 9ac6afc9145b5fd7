import { stringContent } from "../attributes/literal.ts";
import type { Component, ContentType } from "../model/model.ts";
import type { EmitInput } from "./emitter.ts";
import { sourceLine } from "./texts.ts";
import type { GraphqlView } from "./views.ts";

/** What `graphql.ts`, which calls a builder of Pothos, is filled with for a content type or component. */
export const graphqlView = (
  owner: ContentType | Component,
  { attributesOf, graphql: { format } }: EmitInput,
): GraphqlView => {
  const view = {
    ...owner.names,
    source: sourceLine(owner.file),
    uid: stringContent(owner.uid),
    name: owner.names.graphql,
    fields: attributesOf(owner).filter(({ inGraphql }) => inGraphql),
  };
  if (!("kind" in owner))
    return { ...view, declare: "component", option: "component", reads: false, history: false, writes: false };
  const single = owner.kind === "singleType";
  const { graphqlOne: one, graphqlMany: many } = owner.names;
  return {
    ...view,
    declare: "contentType",
    option: "type",
    reads: { single, one, many, connection: format === "flat" },
    history: owner.history !== undefined && { one, deleted: `deleted${many.charAt(0).toUpperCase()}${many.slice(1)}` },
    // Users and roles are written by operations of the runtime's own.
    writes: owner.uid.startsWith("api::") && {
      single,
      schedule: owner.schedule,
      localization: owner.localized && format === "entity",
    },
  };
};
