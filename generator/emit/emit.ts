import { type AttributeView, attributeView } from "../attributes/catalogue.ts";
/** Model in, generated files out. Neither reads nor writes the project. */
import type { ModelIndex } from "../attributes/common.ts";
import type { Attribute, Component, ContentType, Model } from "../model/model.ts";
import { emitClient } from "./client.ts";
import { emitComponents } from "./component.ts";
import { emitContentTypes } from "./content-type.ts";
import type { EmitInput, EmitOptions, EmittedFile, Emitter, RenderedFile } from "./emitter.ts";
import { emitExtensions } from "./extensions.ts";
import { withImports } from "./imports.ts";
import { emitIndex } from "./index.ts";
import { emitRelations } from "./relations.ts";
import { render } from "./render.ts";
import { inDraft } from "./schemas.ts";
import { symbolsOf } from "./symbols.ts";

const emitters: readonly Emitter[] = [
  emitRelations,
  emitContentTypes,
  emitComponents,
  emitExtensions,
  emitIndex,
  emitClient,
];

/** The GraphQL enum names that several attributes share. */
const sharedEnums = ({ contentTypes, components }: Model): ReadonlySet<string> => {
  const names = [...contentTypes, ...components].flatMap(({ attributes }) =>
    attributes.flatMap((attribute) => (attribute.kind === "scalar" ? (attribute.graphqlEnum?.name ?? []) : [])),
  );
  return new Set(names.filter((name, position) => names.indexOf(name) !== position));
};

const byUid = <Item extends { readonly uid: string }>(items: readonly Item[]): ((uid: string) => Item) => {
  const known = new Map(items.map((item) => [item.uid, item]));
  return (uid) => {
    const found = known.get(uid);
    if (found === undefined) throw new Error(`the model has nothing with the uid "${uid}"`);
    return found;
  };
};

const indexModel = (model: Model): ModelIndex => {
  const shared = sharedEnums(model);
  return {
    contentType: byUid(model.contentTypes),
    component: byUid(model.components),
    isSharedEnum: (name) => shared.has(name),
  };
};

/** Finds components by their schemas for entries in drafts. */
const draftIndex = (index: ModelIndex): ModelIndex => ({
  ...index,
  component(uid) {
    const { names, ...component } = index.component(uid);
    return { ...component, names: { ...names, schemaConst: names.draftConst, entryConst: names.draftEntryConst } };
  },
});

/** @param formOf the view of an attribute */
const views = (index: ModelIndex, formOf: (attribute: Attribute) => Attribute): EmitInput["attributesOf"] => {
  const known = new Map<ContentType | Component, readonly AttributeView[]>();
  return (owner) => {
    const found = known.get(owner) ?? owner.attributes.map((attribute) => attributeView(formOf(attribute), index));
    known.set(owner, found);
    return found;
  };
};

/** The context of every generated file, and what they declare for each other. */
export const emitViews = (model: Model, options: EmitOptions) => {
  const index = indexModel(model);
  const attributesOf = views(index, (attribute) => attribute);
  const input = { ...options, model, attributesOf, draftsOf: views(draftIndex(index), inDraft) };
  return { files: emitters.flatMap((emitter) => emitter(input)), symbols: symbolsOf(model) };
};

/** Renders a file in memory, with its template's line breaks. */
export const renderFile = (
  { path, template, view }: EmittedFile,
  symbols: ReturnType<typeof symbolsOf>,
): RenderedFile => ({
  path,
  text: withImports(path, render(template, view), symbols),
});

type Choose = (files: readonly EmittedFile[]) => readonly EmittedFile[];

/** Renders generated files in memory: all of them, or those that `choose` leaves. */
export const emit = (
  model: Model,
  options: EmitOptions,
  choose: Choose = (files) => files,
): readonly RenderedFile[] => {
  const { files, symbols } = emitViews(model, options);
  return choose(files).map((file) => renderFile(file, symbols));
};
