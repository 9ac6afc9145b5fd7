/** Link lines in the form of archives. */
import type { FoundFile, FoundRelation } from "./row-links.ts";

export const FILE = "plugin::upload.file";

const kindOf = (left: string, right: string, relation: string): string => {
  if (relation.startsWith("morph")) return "relation.morph";
  return left === right ? "relation.circular" : "relation.basic";
};

/** A relation to a row, or to a document without a suitable row. */
export const relationLine = (
  found: FoundRelation,
  right: { readonly ref: number } | { readonly documentId: string },
) => {
  const { owner, attribute, relation, target, place, inverse, inversePlace } = found;
  // A polymorphic list has its order on the other side.
  const isAny = relation === "morphToMany";
  return JSON.stringify({
    kind: kindOf(owner.type, target.type, relation),
    relation,
    left: {
      type: owner.type,
      field: attribute,
      ref: owner.ref,
      ...(isAny || place === undefined ? {} : { pos: place }),
    },
    right: {
      type: target.type,
      ...(inverse === undefined ? {} : { field: inverse }),
      ...right,
      ...(isAny ? { pos: place } : inversePlace === undefined ? {} : { pos: inversePlace }),
    },
  });
};

export const fileLine = ({ owner, attribute, file, place }: FoundFile): string =>
  JSON.stringify({
    kind: "relation.morph",
    relation: "morphToMany",
    left: { type: FILE, field: "related", ref: file },
    right: { ref: owner.ref, pos: place, type: owner.type, field: attribute },
  });

/** Links every row to the locales of its document. */
export const localizationsLine = (type: string, ref: number, documentId: unknown): string =>
  JSON.stringify({
    kind: "relation.circular",
    relation: "oneToMany",
    left: { type, ref, field: "localizations" },
    right: { type, ref: documentId },
  });
