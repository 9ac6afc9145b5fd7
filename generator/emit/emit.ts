/** Model in, generated files out. Nothing here reads or writes the project. */
import type { Config } from "../../runtime/config/config.ts";
import { attributeView } from "../attributes/catalogue.ts";
import type { ModelIndex } from "../attributes/common.ts";
import type { AttributeView } from "../attributes/view.ts";
import type { Component, ContentType, Model } from "../model/model.ts";
import { emitClient } from "./client.ts";
import { emitComponents } from "./component.ts";
import { emitDocuments } from "./document.ts";
import type { EmitInput, Emitter, RenderedFile } from "./emitter.ts";
import { emitExtensions } from "./extensions.ts";
import { emitGraphql } from "./graphql.ts";
import { withImports } from "./imports.ts";
import { emitIndex } from "./index.ts";
import { indexModel } from "./model-index.ts";
import { emitRelations } from "./relations.ts";
import { emitRoutes } from "./rest.ts";
import { inDraft } from "./schemas.ts";
import { symbolsOf } from "./symbols.ts";
import { emitTables } from "./table.ts";
import { emitTypes } from "./type.ts";
import { emitValidators } from "./validator.ts";

/** One for each template. */
const emitters: readonly Emitter[] = [
  emitTables,
  emitRelations,
  emitDocuments,
  emitTypes,
  emitValidators,
  emitRoutes,
  emitGraphql,
  emitComponents,
  emitExtensions,
  emitIndex,
  emitClient,
];

export interface EmitOptions {
  /** The way from the output folder to the root of the project, with forward slashes. */
  readonly toRoot: string;
  /** `app.ts` of the project, relative to the root; undefined where there is none. */
  readonly app?: string | undefined;
  /** Whether there is to be a client; there is one by default. */
  readonly client?: boolean;
  readonly graphql: Pick<Config["graphql"], "format">;
}

/** Finds components by the schemas of their entries in drafts. */
const draftIndex = (index: ModelIndex): ModelIndex => ({
  ...index,
  component(uid) {
    const { names, ...component } = index.component(uid);
    return { ...component, names: { ...names, schemaConst: names.draftConst, entryConst: names.draftEntryConst } };
  },
});

const viewsOf = (index: ModelIndex): EmitInput["attributesOf"] => {
  const views = new Map<ContentType | Component, readonly AttributeView[]>();
  return (owner) => {
    const known = views.get(owner) ?? owner.attributes.map((attribute) => attributeView(attribute, index));
    views.set(owner, known);
    return known;
  };
};

/** Renders every generated file in memory, with the line breaks of its template. */
export const emit = (model: Model, { toRoot, app, client = true, graphql }: EmitOptions): readonly RenderedFile[] => {
  const index = indexModel(model);
  const drafts = draftIndex(index);
  const draftsOf: EmitInput["draftsOf"] = ({ attributes }) =>
    attributes.map((attribute) => attributeView(inDraft(attribute), drafts));
  const input = { model, attributesOf: viewsOf(index), draftsOf, toRoot, app, client, graphqlFormat: graphql.format };
  const symbols = symbolsOf(model);
  return emitters
    .flatMap((emitter) => emitter(input))
    .map(({ path, text }) => ({ path, text: withImports(path, text, symbols) }));
};
