/**
 * The documents that hooks get after a write. They are built from the versions that the write has loaded, without
 * further reads.
 */
import { system } from "../../access/caller.ts";
import { decoderOf, type ReadServices } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributesOf, isScalar } from "../attributes.ts";
import type { HookedDocument } from "../hooks.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";

/**
 * A version as the document service returns it without `populate`; without the row's id, which is not known for a
 * version just inserted.
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

/** Among versions in one locale, the one in `status`; for a type without drafts, the only one. */
export const versionIn = (
  { draftAndPublish }: ContentType,
  versions: readonly LoadedVersion[],
  status: Status,
): LoadedVersion | undefined => versions.find((version) => version.status === (draftAndPublish ? status : "published"));
