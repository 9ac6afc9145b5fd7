/** Queries as version 4 of the wire format took them, in the words of version 5. */
import type { Uid } from "../../schema/content-type.ts";
import type { RawQuery } from "../check/check.ts";
import { PREVIEW } from "../check/selected.ts";
import { type Names, oldPopulate } from "./populate.ts";

const statusOf = (publicationState: unknown): RawQuery => {
  if (publicationState === "preview") return { status: PREVIEW };
  return publicationState === "live" ? { status: "published" } : {};
};

/**
 * The query that asks a type for the same. What it says in the words of version 5 already is left as it is, and so is
 * what version 4 did not know.
 */
export const oldQuery = (
  names: Names,
  uid: Uid,
  { publicationState, populate: asked, ...query }: RawQuery,
): RawQuery => {
  const populate = oldPopulate(names, uid, asked);
  return {
    ...statusOf(publicationState),
    ...query,
    ...(query["locale"] === "all" ? { locale: "*" } : {}),
    ...(populate === undefined ? {} : { populate }),
  };
};
