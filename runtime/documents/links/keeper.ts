/** The side of a two-way relation that stores it, as the other side sees it. */
import type { ContentType, InverseRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { attributeOf, isToMany, isToOne } from "../attributes.ts";
import type { Source } from "../body/references.ts";
import type { Keeper, Scope } from "../sql/keeper.ts";

/** Where an inverse relation is stored. */
export const keeperOf = ({ services }: Source, { target, mappedBy }: InverseRelation): Keeper => {
  const type = services.registry.contentType(target);
  const attribute = attributeOf(type, mappedBy);
  if (attribute && isToOne(attribute)) {
    return { type, name: mappedBy, column: attribute.column, position: attribute.inversePosition };
  }
  if (attribute && isToMany(attribute)) return { type, name: mappedBy, link: attribute.link };
  throw new Error(`${mappedBy} of ${target} stores no relation`);
};

/** The locale in which both sides of a relation meet; null where one of them has none. */
export const sharedLocale = ({ type, locale }: Source, keeper: ContentType): string | null =>
  type.localized && keeper.localized ? locale : null;

/** Which versions of the storing side a write of the other side's version in `status` is about. */
export const scopeOf = (source: Source, status: Status, { type }: Keeper): Scope => {
  const locale = sharedLocale(source, type);
  if (!type.draftAndPublish) return { status: "published", locale };
  return { status: source.type.draftAndPublish ? status : "either", locale };
};
