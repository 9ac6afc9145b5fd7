/** Adds a locale to a document with the values of another, for `copyFrom`. */
import { ValidationError } from "../../base/errors.ts";
import { readOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributeOf, isCopiedToLocales } from "../attributes.ts";
import { mayWrite } from "../body/keys.ts";
import { OWN } from "../links/reach.ts";
import { openDocument } from "../plan/plan.ts";
import type { OperationContext } from "./context.ts";
import { isHidden } from "./guard.ts";
import { writtenLocale } from "./parameters.ts";
import { storedBody } from "./stored-body.ts";

/** The locale to add to a document, and the source of its values. */
export interface Translation {
  /** Undefined for a document that does not exist yet. */
  readonly documentId: string | undefined;
  readonly locale: string | null;
  readonly copyFrom: unknown;
}

const refused = (reason: string): ValidationError => new ValidationError(`copyFrom: ${reason}`);

/**
 * The values that a new locale takes from another: from its draft, or its only version. Omits what the caller may not
 * write, and what all locales share. Locks the document, so it has to run in the transaction of the write.
 *
 * @returns undefined if there is no such document
 * @throws ValidationError if there is nothing to copy, or if the locale is there already
 * @throws ForbiddenError if the caller may not read drafts of the type
 */
export const copiedData = async (
  context: OperationContext,
  type: ContentType,
  { documentId, locale, copyFrom }: Translation,
): Promise<Data | undefined> => {
  const { services } = context;
  const from = writtenLocale(services.config, type, copyFrom);
  if (from === null || locale === null) throw refused(`${type.uid} is not localized`);
  if (documentId === undefined) throw refused("a new document has no other locale");
  const opened = await openDocument(services.database, type, documentId, OWN);
  if (!opened || (await isHidden(context, type, documentId))) return undefined;
  const status = type.draftAndPublish ? "draft" : "published";
  const present = opened.versions.filter((version) => version.status === status);
  if (present.some((version) => version.locale === locale))
    throw refused(`the document has locale "${locale}" already`);
  const source = present.find((version) => version.locale === from);
  const isSeen = await readOne(context, type, documentId, { fields: ["documentId"], status, locale: from });
  if (!source || !isSeen) throw refused(`the document has no locale "${from}"`);
  const stored = Object.entries(await storedBody(services, type, source));
  return Object.fromEntries(
    stored.filter(([name, value]) => {
      const attribute = attributeOf(type, name);
      return attribute && !isCopiedToLocales(attribute) && mayWrite(context, type, name, value);
    }),
  );
};
