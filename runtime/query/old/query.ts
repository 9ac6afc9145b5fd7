/** Translates queries of version 4 of the wire format into those of version 5. */
import type { Uid } from "../../schema/content-type.ts";
import type { RawQuery } from "../check/check.ts";
import { PREVIEW } from "../check/selected.ts";
import { type Names, oldPopulate } from "./populate.ts";

const statusOf = (publicationState: unknown): RawQuery => {
  if (publicationState === "preview") return { status: PREVIEW };
  return publicationState === "live" ? { status: "published" } : {};
};

/**
 * The query of version 5 that asks for the same. Parameters of version 5, and those that version 4 did not have, are
 * left unchanged.
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
