import { displayNameOf } from "../../runtime/schema/display-name.ts";
import { withBuiltInTypes } from "../builtin/index.ts";
import { type Diagnostic, diagnose, type Report } from "../diagnostics/diagnostic.ts";
import type { ExtensionFile, SchemaFile } from "../schema/schema-file.ts";
import { assignNames, type Names } from "./assign-names.ts";
import { buildAttribute, type AttributeOwner } from "./attributes.ts";
import { checkComponents } from "./check-components.ts";
import { checkEnumNames } from "./check-enum-names.ts";
import { checkNames } from "./check-names.ts";
import { checkValues } from "./check-values.ts";
import type { CustomFieldTypes } from "./custom-fields.ts";
import { checkLayouts, layoutOf } from "./layouts.ts";
import type { Attribute, Component, ContentType, Model } from "./model.ts";
import { prepare } from "./prepare.ts";
import type { PreparedComponent, PreparedType } from "./prepared.ts";
import { sideKey, pairRelations, type Sides } from "./relations.ts";
import { SYSTEM_FIELDS } from "./reserved.ts";
import { createStorage } from "./storage.ts";

const attributesOf = (owner: AttributeOwner, names: Iterable<string>): Attribute[] =>
  [...names].map((name) => buildAttribute(name, owner));

const historyOf = ({ history }: PreparedType["schema"]["options"]): ContentType["history"] =>
  history === true ? {} : history || undefined;

const buildContentType = (type: PreparedType, names: Names, sides: Sides): ContentType => {
  const { schema, attributes } = type;
  const own = names.contentTypes.get(type);
  if (!own) throw new Error(`${type.uid} has no names`);
  const { kind, info, options } = schema;
  const localized = schema.pluginOptions?.i18n?.localized === true;
  const hidden = options.privateAttributes ?? [];
  const sideOf = (attribute: string) => sides.get(sideKey(type.uid, attribute));
  const storage = createStorage(own.table, attributes, sideOf, names);
  const owner: AttributeOwner = { graphql: own.graphql, attributes, localized, hidden, sideOf, storage };
  return {
    uid: type.uid,
    file: type.file,
    kind,
    singularName: info.singularName,
    pluralName: info.pluralName,
    displayName: info.displayName,
    description: info.description,
    draftAndPublish: options.draftAndPublish === true,
    schedule: options.schedule === true,
    search: options.search === true ? {} : options.search || undefined,
    history: historyOf(options),
    panel: layoutOf(type),
    localized,
    privateFields: hidden.filter((name) => name === "localizations" || SYSTEM_FIELDS.includes(name)),
    renamedFrom: info.renamedFrom,
    extension: type.extension,
    names: own,
    attributes: attributesOf(owner, attributes.keys()),
  };
};

const buildComponent = (component: PreparedComponent, names: Names): Component => {
  const own = names.components.get(component);
  if (!own || component.file === undefined) throw new Error(`${component.uid} has no names or no file`);
  const { uid, file, category, name, schema, attributes } = component;
  const owner: AttributeOwner = {
    graphql: own.graphql,
    attributes,
    localized: false,
    hidden: [],
    sideOf: () => undefined,
    storage: undefined,
  };
  return {
    uid,
    file,
    category,
    name,
    displayName: schema.info.displayName ?? displayNameOf(name),
    description: schema.info.description,
    panel: layoutOf(component),
    renamedFrom: schema.info.renamedFrom,
    names: own,
    attributes: attributesOf(owner, attributes.keys()),
  };
};

/**
 * Resolves schema files to the model, in passes: built-in types, individual attributes, names, pairs of relations,
 * storage. The order of `files` does not matter. `broken` are the uids of files that could not be loaded, `extensions`
 * those without a schema file, `customFields` the configured base types.
 *
 * @returns the model, which must not be emitted if its diagnostics (unsorted) contain an error
 */
export const buildModel = (
  files: readonly SchemaFile[],
  broken: ReadonlySet<string> = new Set(),
  extensions: readonly ExtensionFile[] = [],
  customFields: CustomFieldTypes = {},
) => {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (...fault) => void diagnostics.push(diagnose(...fault));
  const prepared = prepare(withBuiltInTypes(files, broken, report, extensions), broken, report, customFields);
  checkNames(prepared, report);
  checkComponents(prepared, broken, report);
  checkValues(prepared, report);
  checkLayouts(prepared, report);
  const names = assignNames(prepared, report);
  checkEnumNames(prepared, names, report);
  const sides = pairRelations(prepared, report);
  const model: Model = {
    contentTypes: prepared.contentTypes.map((type) => buildContentType(type, names, sides)),
    components: prepared.components.map((component) => buildComponent(component, names)),
  };
  return { model, diagnostics };
};
