import { stringContent } from "../attributes/literal.ts";
import type { Component, ContentType } from "../model/model.ts";
import type { EmitInput, Emitter, RenderedFile } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";

const viewOf = (owner: ContentType | Component, { attributesOf }: EmitInput) => ({
  ...owner.names,
  source: sourceLine(owner.file),
  uid: stringContent(owner.uid),
  name: owner.names.graphql,
  fields: attributesOf(owner).filter(({ inGraphql }) => inGraphql),
});

const ofContentType = (type: ContentType, input: EmitInput): RenderedFile => {
  const single = type.kind === "singleType";
  const { folder, graphqlOne, graphqlMany } = type.names;
  return {
    path: `${folder}/graphql.ts`,
    text: render("graphql.ts", {
      ...viewOf(type, input),
      declare: "contentType",
      option: "type",
      reads: { single, one: graphqlOne, many: graphqlMany, connection: input.graphqlFormat === "flat" },
      // Users and roles are written by operations of the runtime's own.
      writes: type.uid.startsWith("api::") && {
        single,
        localization: type.localized && input.graphqlFormat === "entity",
      },
    }),
  };
};

const ofComponent = (component: Component, input: EmitInput): RenderedFile => ({
  path: `${component.names.path}.graphql.ts`,
  text: render("graphql.ts", {
    ...viewOf(component, input),
    declare: "component",
    option: "component",
    reads: false,
    writes: false,
  }),
});

/** `<type>/graphql.ts` and `components/<category>/<name>.graphql.ts`: calls on a builder of Pothos. */
export const emitGraphql: Emitter = (input) => [
  ...input.model.contentTypes.map((type) => ofContentType(type, input)),
  ...input.model.components.map((component) => ofComponent(component, input)),
];
