import { stringContent } from "../attributes/literal.ts";
import type { Component, ContentType } from "../model/model.ts";
import type { EmitInput } from "./emitter.ts";
import { sourceLine } from "./texts.ts";

/** The view of `graphql.ts`, which calls a Pothos builder, for a content type or component. */
export const graphqlView = (owner: ContentType | Component, { attributesOf, graphql: { format } }: EmitInput) => {
  const view = {
    ...owner.names,
    source: sourceLine(owner.file),
    uid: stringContent(owner.uid),
    name: owner.names.graphql,
    fields: attributesOf(owner).filter(({ inGraphql }) => inGraphql),
  };
  // `declare` is the call that declares it, `option` the option for its descriptor.
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
    // Built-in operations of the runtime write users and roles.
    writes: owner.uid.startsWith("api::") && {
      single,
      schedule: owner.schedule,
      localization: owner.localized && format === "entity",
    },
  };
};
