/** Describes the generated routes of content types, including those for versions of documents. */
import type { ContentType } from "../schema/content-type.ts";
import { type Description, documentAnswer, envelope, gone, jsonBody, operation, pageAnswer } from "./endpoint.ts";
import { anyOf, instant, type JsonObject, orNull, record, ref, shape, text, integer, list } from "./json-schema.ts";
import { type Declared, pascal } from "./names.ts";
import { parameterRef } from "./queries.ts";

const versionSchema = shape({
  id: integer,
  documentId: text,
  locale: orNull(text),
  status: text,
  action: text,
  at: instant,
  by: orNull(shape({ kind: text, id: orNull(integer) })),
  changed: orNull(list(text)),
  restored: orNull(integer),
});

const goneSchema = list(record({ path: text, reason: text, value: {} }));

/** The descriptions of the routes for versions of documents. */
const versionOperations = (name: string, plural: string, { localized }: ContentType) => {
  const listed = { parameters: [...(localized ? ["locale"] : []), "pagination"].map(parameterRef) };
  const read = { parameters: [`${name}Fields`, `${name}Populate`].map(parameterRef) };
  const pages = shape({ data: list(versionSchema), meta: record({}) });
  const shownWith = (meta: JsonObject) => shape({ data: ref(name), meta });
  const version = shownWith(shape({ version: versionSchema, gone: goneSchema }));
  const difference = envelope(list(shape({ attribute: text, from: {}, to: {} })));
  return {
    findVersions: operation(`find${name}Versions`, "Versions, newest first", pages, listed),
    findDeleted: operation(`findDeleted${plural}`, "The last versions of what was deleted", pages, listed),
    findVersion: operation(`find${name}Version`, "A version as the document that it was", version, read),
    compareVersions: operation(
      `compare${name}Versions`,
      "What differs from another version, or from now",
      difference,
      read,
    ),
    restoreVersion: operation(
      `restore${name}Version`,
      "Writes a version anew",
      shownWith(shape({ gone: goneSchema })),
      {
        ...read,
        body: jsonBody(record({ data: record({}) })),
      },
    ),
  };
};

/** The plural name, made different from the singular to keep the operations apart. */
const pluralOf = (name: string, { pluralName }: ContentType): string => {
  const plural = pascal(pluralName);
  return plural === name ? `${name}List` : plural;
};

/** The names of the parameters of a type's routes, by purpose. */
const parametersOf = (name: string, { draftAndPublish, localized, search }: ContentType) => {
  const shape = [`${name}Fields`, `${name}Populate`];
  const locale = localized ? ["locale"] : [];
  const written = [...shape, ...(draftAndPublish ? ["status"] : []), ...locale];
  const translated = localized ? ["fallback", "localization"] : [];
  const one = [...written, ...translated, `${name}Filters`];
  const many = [
    ...one,
    "sort",
    "pagination",
    "search",
    ...(search ? ["facets", "snippets"] : []),
    ...(draftAndPublish ? ["publicationFilter"] : []),
  ];
  return { locale, action: [...shape, ...locale], written, one, many };
};

const instantOrNull = orNull(instant);

const scheduleSchema = shape({
  documentId: text,
  locale: orNull(text),
  publishAt: instantOrNull,
  unpublishAt: instantOrNull,
  last: orNull(shape({ action: text, at: instant, state: text, reason: orNull(text) })),
});

const scheduling = {
  body: jsonBody(envelope(record({ publishAt: instantOrNull, unpublishAt: instantOrNull }))),
  answers: { 200: shape({ data: scheduleSchema, meta: record({}) }) },
};

/** A draft may lack required values. */
const newDataOf = (name: string, { draftAndPublish }: ContentType): JsonObject =>
  draftAndPublish ? anyOf(ref(`${name}Input`), ref(`${name}Changes`)) : ref(`${name}Input`);

/** The descriptions of the generated routes of a type, by the last part of their permissions. */
export const contentOperations = (
  { names }: Declared,
  type: ContentType,
): Readonly<Record<string, Description | undefined>> => {
  const name = names.type(type.uid);
  const isSingle = type.kind === "singleType";
  const { locale, action, written, one, many } = parametersOf(name, type);
  const describe = (
    operationId: string,
    summary: string,
    parameters: readonly string[],
    more: Partial<Description> = {},
  ) => operation(operationId, summary, documentAnswer(name), { parameters: parameters.map(parameterRef), ...more });
  const changes = ref(`${name}Changes`);
  const newData = newDataOf(name, type);
  return {
    find: isSingle
      ? describe(`find${name}`, "The document", one)
      : describe(`find${pluralOf(name, type)}`, "A page of documents", many, { answers: { 200: pageAnswer(name) } }),
    findOne: describe(`find${name}`, "One document", one),
    create: describe(
      `create${name}`,
      type.draftAndPublish ? "Creates and publishes a document, or a draft" : "Creates a document",
      written,
      { body: jsonBody(envelope(newData)), answers: { 201: documentAnswer(name) } },
    ),
    update: describe(
      `update${name}`,
      isSingle ? "Changes the document, or creates it" : "Changes a document",
      written,
      { body: jsonBody(envelope(changes)) },
    ),
    delete: describe(`delete${name}`, "Deletes the document", locale, gone),
    publish: describe(`publish${name}`, "Publishes the draft as it is", action),
    unpublish: describe(`unpublish${name}`, "Takes the published version away", action),
    schedule: describe(`schedule${name}`, "Sets when the draft is published and unpublished", locale, scheduling),
    discardDraft: describe(`discardDraft${name}`, "Makes the draft what is published", action),
    ...versionOperations(name, pluralOf(name, type), type),
  };
};
