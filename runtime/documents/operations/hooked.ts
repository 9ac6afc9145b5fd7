/** What hooks are handed after a write: the versions that the write had in its hands anyway. Nothing is read for it. */
import { system } from "../../access/caller.ts";
import { decoderOf, type ReadServices } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributesOf, isScalar } from "../attributes.ts";
import type { HookedDocument } from "../hooks.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";

/**
 * A version by its values, as the document service shows them without `populate`; but without the id of the row, which
 * is not known of one that was just inserted.
 */
export const hookedDocument = (
  { queries }: Pick<ReadServices, "queries">,
  type: ContentType,
  documentId: string,
  { createdAt, updatedAt, publishedAt, locale, values }: Version,
): HookedDocument => {
  const instant = decoderOf("datetime");
  const own = attributesOf(type).flatMap(([name, attribute]): [string, unknown][] =>
    isScalar(attribute) ? [[name, decoderOf(attribute.type)(values[name] ?? null)]] : [],
  );
  const all: readonly [string, unknown][] = [
    ["documentId", documentId],
    ...own,
    ["createdAt", instant(createdAt)],
    ["updatedAt", instant(updatedAt)],
    ["publishedAt", instant(publishedAt)],
    ["locale", locale],
  ];
  return Object.fromEntries(all.filter(([name]) => queries.shows(system, type, name)));
};

/** Of versions in one locale that which is in `status`: the only one of a type without drafts. */
export const versionIn = (
  { draftAndPublish }: ContentType,
  versions: readonly LoadedVersion[],
  status: Status,
): LoadedVersion | undefined => versions.find((version) => version.status === (draftAndPublish ? status : "published"));
