/** Schema files in memory, shape-checked like those on disk. */
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.ts";
import { buildModel } from "../../generator/model/build.ts";
import type { Attribute, Component, ContentType, Model } from "../../generator/model/model.ts";
import { checkShape } from "../../generator/schema/check-shape.ts";
import type { FoundComponent, FoundContentType } from "../../generator/schema/find.ts";
import type { SchemaFile } from "../../generator/schema/schema-file.ts";

type Json = Record<string, unknown>;

const checked = (found: FoundContentType | FoundComponent, value: Json): SchemaFile => {
  const { file, diagnostics } = checkShape(found, found.path, value);
  if (!file) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return file;
};

/** `api::<name>.<name>`, whose plural has an "s"; `rest` replaces or adds keys of the file. */
export const contentType = (name: string, attributes: Json, rest: Json = {}): SchemaFile =>
  checked(
    {
      kind: "contentType",
      path: `content-types/${name}/schema.json`,
      owner: `api::${name}`,
      folder: name,
      extended: false,
    },
    { info: { singularName: name, pluralName: `${name}s`, displayName: name }, attributes, ...rest },
  );

/** The component `uid`. */
export const component = (uid: string, attributes: Json): SchemaFile => {
  const [category = "", name = ""] = uid.split(".");
  const path = `content-types/components/${category}/${name}.json`;
  return checked({ kind: "component", path, category, name }, { info: { displayName: name }, attributes });
};

/** The model of `files`; fails when they have errors. */
export const modelOf = (...files: readonly SchemaFile[]): Model => {
  const { model, diagnostics } = buildModel(files);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("; "));
  return model;
};

export const diagnosticsOf = (...files: readonly SchemaFile[]): readonly Diagnostic[] => buildModel(files).diagnostics;

export const typeIn = (model: Model, singularName: string): ContentType => {
  const found = model.contentTypes.find((type) => type.singularName === singularName);
  if (!found) throw new Error(`the model has no ${singularName}`);
  return found;
};

export const componentIn = (model: Model, uid: string): Component => {
  const found = model.components.find((component) => component.uid === uid);
  if (!found) throw new Error(`the model has no ${uid}`);
  return found;
};

/** The attribute `name`, which must be of that kind. */
export const attributeIn = <Kind extends Attribute["kind"]>(
  owner: ContentType | Component,
  name: string,
  kind: Kind,
): Extract<Attribute, { kind: Kind }> => {
  const isKind = (attribute: Attribute): attribute is Extract<Attribute, { kind: Kind }> => attribute.kind === kind;
  const found = owner.attributes.find((attribute) => attribute.name === name);
  if (!found || !isKind(found)) throw new Error(`${owner.uid} has no ${kind} ${name}`);
  return found;
};
