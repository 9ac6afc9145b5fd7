/** Describes the generated routes for versions of documents. */
import type { ContentType } from "../schema/content-type.ts";
import { type Description, envelope, jsonBody, operation } from "./endpoint.ts";
import { instant, integer, type JsonObject, list, orNull, record, ref, shape, text } from "./json-schema.ts";
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

const describe = (id: string, summary: string, more: Partial<Description>): Description =>
  operation(id, summary, {}, more);

/** The descriptions of the routes for versions of documents. */
export const versionOperations = (name: string, plural: string, { localized }: ContentType) => {
  const listed = { parameters: [...(localized ? ["locale"] : []), "pagination"].map(parameterRef) };
  const read = { parameters: [`${name}Fields`, `${name}Populate`].map(parameterRef) };
  const pages = { 200: shape({ data: list(versionSchema), meta: record({}) }) };
  const shownAs = (meta: JsonObject) => ({ 200: shape({ data: ref(name), meta }) });
  const difference = envelope(list(shape({ attribute: text, from: {}, to: {} })));
  return {
    findVersions: describe(`find${name}Versions`, "Versions, newest first", { ...listed, answers: pages }),
    findDeleted: describe(`findDeleted${plural}`, "The last versions of what was deleted", {
      ...listed,
      answers: pages,
    }),
    findVersion: describe(`find${name}Version`, "A version as the document that it was", {
      ...read,
      answers: shownAs(shape({ version: versionSchema, gone: goneSchema })),
    }),
    compareVersions: describe(`compare${name}Versions`, "What differs from another version, or from now", {
      ...read,
      answers: { 200: difference },
    }),
    restoreVersion: describe(`restore${name}Version`, "Writes a version anew", {
      ...read,
      body: jsonBody(record({ data: record({}) })),
      answers: shownAs(shape({ gone: goneSchema })),
    }),
  };
};
