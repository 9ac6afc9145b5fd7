/** The storing side ("keeper") of a two-way relation, as used from its inverse side. */
import type { ContentType, InverseRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributeOf, isToMany, isToOne } from "../attributes.ts";
import type { Source } from "../body/references.ts";
import type { Keeper, Scope } from "../sql/keeper.ts";

/** The attribute and type that store an inverse relation. */
export const keeperOf = ({ services }: Source, { target, mappedBy }: InverseRelation): Keeper => {
  const type = services.registry.contentType(target);
  const attribute = attributeOf(type, mappedBy);
  if (attribute && isToOne(attribute)) {
    return { type, name: mappedBy, column: attribute.column, position: attribute.inversePosition };
  }
  if (attribute && isToMany(attribute)) return { type, name: mappedBy, link: attribute.link };
  throw new Error(`${mappedBy} of ${target} stores no relation`);
};

/** The locale that both sides of a relation share; null if one of them has no locales. */
export const sharedLocale = ({ type, locale }: Source, keeper: ContentType): string | null =>
  type.localized && keeper.localized ? locale : null;

/** Which versions of the storing side are affected by a write of the inverse side's version in `status`. */
export const scopeOf = (source: Source, status: Status, { type }: Keeper): Scope => {
  const locale = sharedLocale(source, type);
  if (!type.draftAndPublish) return { status: "published", locale };
  return { status: source.type.draftAndPublish ? status : "either", locale };
};
