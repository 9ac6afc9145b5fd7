/** The files of a content type: table, interface, descriptor, validators, routes and GraphQL. */
import { formOf } from "../../runtime/base/scalar-form.ts";
import { type SearchedMember, wordPathsOf } from "../../runtime/search/text-paths.ts";
import { propertyKey, stringContent, stringLiteral, valueLiteral } from "../attributes/literal.ts";
import type { Attribute, Component, ContentType, Model } from "../model/model.ts";
import type { EmitInput, EmittedFile, Emitter } from "./emitter.ts";
import { graphqlView } from "./graphql.ts";
import { schemaView } from "./schemas.ts";
import { linkOf } from "./symbols.ts";
import { labelsOf, sourceLine } from "./texts.ts";

/** System fields that depend on whether the type is localized. */
const LOCALE_FIELDS = new Set(["locale", "localizations"]);

/** The runtime serves the routes of plugin types. */
export const hasRoutes = ({ uid }: ContentType): boolean => uid.startsWith("api::");

/** The first path segment of a type's routes. */
export const pathOf = ({ kind, singularName, pluralName }: ContentType): string =>
  kind === "singleType" ? singularName : pluralName;

const linkView = (attribute: Attribute) => {
  const storage = linkOf(attribute);
  if (storage === undefined) return [];
  const { table, tableConst: linkConst, inverseOrdered } = storage;
  const morph = attribute.kind === "relation" && attribute.relation === "morphToMany";
  return [{ linkConst, link: stringLiteral(table), files: attribute.kind === "media", morph, inverseOrdered }];
};

/** Attributes included in full text search. */
const isSearched = (attribute: Attribute): boolean =>
  attribute.searchable &&
  !attribute.private &&
  (attribute.kind === "scalar"
    ? attribute.type === "blocks" || (attribute.type !== "password" && formOf(attribute.type) === "text")
    : attribute.kind === "component" || attribute.kind === "dynamiczone");

/** An attribute as the search for the texts in it sees it. */
const searched = (attribute: Attribute): SearchedMember<string> => {
  const { kind, name, searchable } = attribute;
  const hidden = attribute.private || (kind === "scalar" && attribute.type === "password");
  const common = { name, searchable, hidden };
  if (kind === "scalar") return { ...common, kind, type: attribute.type };
  if (kind === "component") return { ...common, kind, component: attribute.component };
  return kind === "dynamiczone"
    ? { ...common, kind: "zone", components: attribute.components }
    : { ...common, kind: "relation" };
};

/** The full text search configuration of a type; false if it has none. */
const searchView = ({ search, localized, attributes }: ContentType, { components }: Model) => {
  if (!search) return false;
  const { language, weights = {} } = search;
  const byUid = new Map<string, Component>(components.map((component) => [component.uid, component]));
  const pathsOf = (attribute: Attribute) =>
    wordPathsOf(searched(attribute), (uid) => (byUid.get(uid)?.attributes ?? []).map(searched)).map((path) =>
      stringLiteral(path),
    );
  return {
    language: localized || language === undefined ? "" : stringLiteral(language),
    weights: attributes.filter(isSearched).map((attribute) => ({
      name: propertyKey(attribute.name),
      weight: stringLiteral(weights[attribute.name] ?? "D"),
      /** The SQL/JSON paths to its texts; false for a text. */
      paths: attribute.kind === "scalar" && attribute.type !== "blocks" ? false : pathsOf(attribute),
    })),
  };
};

const filesOf = (type: ContentType, input: EmitInput): readonly EmittedFile[] => {
  const { names, privateFields } = type;
  const file = (template: string, view: object): EmittedFile => ({
    path: `${names.folder}/${template}`,
    template,
    view,
  });
  const common = {
    ...names,
    source: sourceLine(type.file),
    uid: stringLiteral(type.uid),
    single: type.kind === "singleType",
    draftAndPublish: type.draftAndPublish,
    schedule: type.schedule,
    search: searchView(type, input.model),
    /** The option's value; "" if not set. */
    history: type.history === undefined ? "" : valueLiteral(type.history),
    localized: type.localized,
    attributes: input.attributesOf(type),
  };
  const routes = { ...common, uid: stringContent(type.uid), path: stringContent(pathOf(type)) };
  return [
    file("table.ts", {
      ...common,
      table: stringLiteral(names.table),
      links: type.attributes.flatMap(linkView),
    }),
    // The system fields that are in no answer are hidden.
    file("document.ts", { ...common, hiddenFields: privateFields.filter((field) => !LOCALE_FIELDS.has(field)) }),
    file("type.ts", {
      ...common,
      kind: stringLiteral(type.kind),
      singularName: stringLiteral(type.singularName),
      pluralName: stringLiteral(type.pluralName),
      ...labelsOf(type.singularName, type),
      privateFields: privateFields.length > 0 ? valueLiteral(privateFields) : "",
    }),
    file("validator.ts", { ...common, ...schemaView(type, type.draftAndPublish, input), inComponent: false }),
    ...(hasRoutes(type) ? [file("rest.ts", routes)] : []),
    file("graphql.ts", graphqlView(type, input)),
  ];
};

/** The files of `<type>/`, one per template. */
export const emitContentTypes: Emitter = (input) => input.model.contentTypes.flatMap((type) => filesOf(type, input));
