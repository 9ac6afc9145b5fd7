/** Model in, generated files out. Nothing here reads or writes the project. */
import { attributeView } from "../attributes/catalogue.ts";
import type { ModelIndex } from "../attributes/common.ts";
import type { Attribute, Model } from "../model/model.ts";
import { emitClient } from "./client.ts";
import { emitComponents } from "./component.ts";
import { emitContentTypes } from "./content-type.ts";
import type { EmitInput, EmitOptions, Emitter, RenderedFile } from "./emitter.ts";
import { emitExtensions } from "./extensions.ts";
import { withImports } from "./imports.ts";
import { emitIndex } from "./index.ts";
import { emitRelations } from "./relations.ts";
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

/** The GraphQL names that several attributes give to their enumerations. */
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

/** Finds components by the schemas of their entries in drafts. */
const draftIndex = (index: ModelIndex): ModelIndex => ({
  ...index,
  component(uid) {
    const { names, ...component } = index.component(uid);
    return { ...component, names: { ...names, schemaConst: names.draftConst, entryConst: names.draftEntryConst } };
  },
});

/** @param formOf an attribute as it is shown */
const views =
  (index: ModelIndex, formOf: (attribute: Attribute) => Attribute): EmitInput["attributesOf"] =>
  ({ attributes }) =>
    attributes.map((attribute) => attributeView(formOf(attribute), index));

/** Renders every generated file in memory, with the line breaks of its template. */
export const emit = (model: Model, options: EmitOptions): readonly RenderedFile[] => {
  const index = indexModel(model);
  const attributesOf = views(index, (attribute) => attribute);
  const input = { ...options, model, attributesOf, draftsOf: views(draftIndex(index), inDraft) };
  const symbols = symbolsOf(model);
  return emitters
    .flatMap((emitter) => emitter(input))
    .map(({ path, text }) => ({ path, text: withImports(path, text, symbols) }));
};
