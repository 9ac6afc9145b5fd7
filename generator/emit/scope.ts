import type { Scope } from "../attributes/entry.ts";
import type { Attribute, Component, ContentType, Model } from "../model/model.ts";
import { Imports } from "./imports.ts";

/** Finds what a model declares, by uid. */
export interface ModelIndex {
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** GraphQL names that several attributes give to their enumerations. */
  readonly sharedEnums: ReadonlySet<string>;
}

const sharedEnums = (owners: readonly { readonly attributes: readonly Attribute[] }[]): ReadonlySet<string> => {
  const names = owners.flatMap(({ attributes }) =>
    attributes.flatMap((attribute) => (attribute.kind === "scalar" ? (attribute.graphqlEnum?.name ?? []) : [])),
  );
  return new Set(names.filter((name, position) => names.indexOf(name) !== position));
};

export const indexModel = ({ contentTypes, components }: Model): ModelIndex => ({
  contentTypes: new Map(contentTypes.map((type) => [type.uid, type])),
  components: new Map(components.map((component) => [component.uid, component])),
  sharedEnums: sharedEnums([...contentTypes, ...components]),
});

const find = <Item>(items: ReadonlyMap<string, Item>, uid: string): Item => {
  const found = items.get(uid);
  if (found === undefined) throw new Error(`the model has nothing with the uid "${uid}"`);
  return found;
};

/** The scope of one generated file, and the imports that gather in it. */
export interface FileScope extends Scope {
  readonly imports: Imports;
}

/**
 * @param file Path below the output folder, such as `article/type.ts`.
 * @param declared Names that the file declares itself.
 */
export const fileScope = (file: string, declared: readonly string[], index: ModelIndex): FileScope => {
  const imports = new Imports(file, declared);
  const isOwn = (path: string, name: string): boolean => `${path}.ts` === file && declared.includes(name);
  return {
    imports,
    value: (module, name) => imports.value(module, name),
    type: (module, name) => imports.type(module, name),
    generatedValue: (path, name) => (isOwn(path, name) ? name : imports.value(imports.module(path), name)),
    generatedType: (path, name) => (isOwn(path, name) ? name : imports.type(imports.module(path), name)),
    contentType: (uid) => find(index.contentTypes, uid),
    component: (uid) => find(index.components, uid),
    isSharedEnum: (name) => index.sharedEnums.has(name),
  };
};
