/** Copies a document. */
import type { ContentType } from "../../schema/content-type.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributeOf } from "../attributes.ts";
import { OWN, takesOver } from "../links/reach.ts";
import { openDocument } from "../plan/plan.ts";
import type { Done, OperationContext, OperationRequest } from "./context.ts";
import { checkParameters, deletedLocales, isAmong } from "./parameters.ts";
import { storedBody } from "./stored-body.ts";
import { create, update } from "./write.ts";

/** The values of a version for another document, without links that only one document can have. */
const withoutSingleLinks = (type: ContentType, body: Data): Data =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => {
      const attribute = attributeOf(type, name);
      return attribute !== undefined && !takesOver(attribute);
    }),
  );

/**
 * Creates a document with the values of another: of its draft, or of its only version. `data` overrides values;
 * `locale` names the locales to copy, as in a deletion. The result is empty if there is no such document.
 */
export const clone = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  { data, query }: OperationRequest,
): Promise<readonly Done[]> =>
  context.services.inUnit(async (services) => {
    checkParameters(query, ["locale"]);
    const { config, database } = services;
    const status = type.draftAndPublish ? "draft" : "published";
    const locales = deletedLocales(config, type, query["locale"]);
    const opened = await openDocument(database, type, documentId, OWN);
    const inside = { ...context, services };
    const done: Done[] = [];
    for (const version of opened?.versions ?? []) {
      if (version.status !== status || !isAmong(locales, version)) continue;
      const { locale } = version;
      const copy = withoutSingleLinks(type, await storedBody(inside, type, version));
      const request = { data: { ...copy, ...data }, query: { status, locale }, anyLocale: true };
      const [first] = done;
      const written = await (first ? update(inside, type, first.documentId, request) : create(inside, type, request));
      if (written) done.push(written);
    }
    return done;
  });
