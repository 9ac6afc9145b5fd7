/** Describes the generated routes of content types. */
import type { ContentType } from "../schema/content-type.ts";
import { documentAnswer, envelope, jsonBody, pageAnswer, type Route, type OperationDescription } from "./endpoint.ts";
import { anyOf, type JsonObject, ref } from "./json-schema.ts";
import { type Declared, pascal } from "./names.ts";
import { parameterRef } from "./queries.ts";

/** The schemas for the answers and bodies of one type. */
interface Shapes {
  readonly name: string;
  readonly type: ContentType;
}

const shaping = (name: string): readonly JsonObject[] => [
  parameterRef(`${name}Fields`),
  parameterRef(`${name}Populate`),
];

const versions = ({ draftAndPublish, localized }: ContentType): readonly JsonObject[] => [
  ...(draftAndPublish ? [parameterRef("status")] : []),
  ...(localized ? [parameterRef("locale")] : []),
];

const locales = ({ localized }: ContentType): readonly JsonObject[] => (localized ? [parameterRef("locale")] : []);

const readOne = ({ name, type }: Shapes): readonly JsonObject[] => [
  ...shaping(name),
  ...versions(type),
  parameterRef(`${name}Filters`),
];

const readMany = (shapes: Shapes): readonly JsonObject[] => [
  ...readOne(shapes),
  parameterRef("sort"),
  parameterRef("pagination"),
  parameterRef("search"),
  ...(shapes.type.draftAndPublish ? [parameterRef("publicationFilter")] : []),
];

const written = ({ name, type }: Shapes): readonly JsonObject[] => [...shaping(name), ...versions(type)];

/** The data of a new document; a draft may lack required values. */
const newData = ({ name, type }: Shapes): JsonObject =>
  type.draftAndPublish ? anyOf(ref(`${name}Input`), ref(`${name}Changes`)) : ref(`${name}Input`);

const action = (shapes: Shapes, word: string, summary: string): Omit<OperationDescription, "tag"> => ({
  operationId: `${word}${shapes.name}`,
  summary,
  parameters: [...shaping(shapes.name), ...locales(shapes.type)],
  answers: { 200: documentAnswer(shapes.name) },
});

/** The description of each action, by the last part of its permission. */
const DESCRIPTIONS: Readonly<Record<string, (shapes: Shapes) => Omit<OperationDescription, "tag">>> = {
  find: (shapes) =>
    shapes.type.kind === "singleType"
      ? {
          operationId: `find${shapes.name}`,
          summary: "The document",
          parameters: readOne(shapes),
          answers: { 200: documentAnswer(shapes.name) },
        }
      : {
          operationId: `find${pluralOf(shapes)}`,
          summary: "A page of documents",
          parameters: readMany(shapes),
          answers: { 200: pageAnswer(shapes.name) },
        },
  findOne: (shapes) => ({
    operationId: `find${shapes.name}`,
    summary: "One document",
    parameters: readOne(shapes),
    answers: { 200: documentAnswer(shapes.name) },
  }),
  create: (shapes) => ({
    operationId: `create${shapes.name}`,
    summary: shapes.type.draftAndPublish ? "Creates and publishes a document, or a draft" : "Creates a document",
    parameters: written(shapes),
    body: jsonBody(envelope(newData(shapes))),
    answers: { 201: documentAnswer(shapes.name) },
  }),
  update: (shapes) => ({
    operationId: `update${shapes.name}`,
    summary: shapes.type.kind === "singleType" ? "Changes the document, or creates it" : "Changes a document",
    parameters: written(shapes),
    body: jsonBody(envelope(ref(`${shapes.name}Changes`))),
    answers: { 200: documentAnswer(shapes.name) },
  }),
  delete: (shapes) => ({
    operationId: `delete${shapes.name}`,
    summary: "Deletes the document",
    parameters: locales(shapes.type),
    answers: { 204: null },
  }),
  publish: (shapes) => action(shapes, "publish", "Publishes the draft as it is"),
  unpublish: (shapes) => action(shapes, "unpublish", "Takes the published version away"),
  discardDraft: (shapes) => action(shapes, "discardDraft", "Makes the draft what is published"),
};

/** A type whose names are the same in both numbers keeps its operations apart. */
const pluralOf = ({ name, type }: Shapes): string => {
  const plural = pascal(type.pluralName);
  return plural === name ? `${name}List` : plural;
};

/** The description of a generated route; undefined if the type's own code has replaced the route. */
export const describeContentRoute = (
  declared: Declared,
  type: ContentType,
  { action: permission }: Route,
): OperationDescription | undefined => {
  const describe = DESCRIPTIONS[permission?.slice(permission.lastIndexOf(".") + 1) ?? ""];
  const name = declared.names.type(type.uid);
  return describe && { ...describe({ name, type }), tag: name };
};
