/** What a body does to the links of a version: its own link tables, and relations that other types store. */
import type { Attribute, ContentType, InverseRelation } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { textOf } from "../database/statements.ts";
import { attributeOf, attributesOf, isFileLink, isInverse, isMorphToMany, isToMany, isToOne } from "./attributes.ts";
import type { ParsedItem } from "./body/parse.ts";
import type { RelationChange } from "./body/relation-value.ts";
import type { State } from "./context.ts";
import { toMany, toOne } from "./links.ts";
import { type Source, type Targets, targetOf } from "./references.ts";
import { type Keeper, publishInverse, type Scope, selectInverse, setInverse, takeOver } from "./sql/inverse.ts";
import { type AnyLink, copyLinks, type Owner, selectLinks, setLinks } from "./sql/link.ts";
import { type Bound, send } from "./sql/statement.ts";
import type { Version } from "./sql/version.ts";

export interface LinkContext {
  readonly source: Source;
  readonly targets: Targets;
  readonly documentId: string;
  readonly state: State;
}

const linkTable = (attribute: Attribute): AnyLink | undefined =>
  isToMany(attribute) || isMorphToMany(attribute) || isFileLink(attribute) ? attribute.link : undefined;

const ownerOf = ({ source, documentId }: LinkContext): Owner => ({
  type: source.type,
  documentId,
  locale: source.locale,
});

const currentLinks = async (session: Session, context: LinkContext, link: AnyLink): Promise<readonly string[]> => {
  const rows = await send(session, selectLinks(ownerOf(context), context.state, link));
  return rows.map(([key, type]) => (type === undefined ? String(key) : `${String(type)} ${String(key)}`));
};

/** The new keys of one link attribute; the present ones are read only where the change builds on them. */
const newLinks = async (
  session: Session,
  context: LinkContext,
  { attribute, link, change }: { attribute: Attribute; link: AnyLink; change: RelationChange },
): Promise<readonly string[]> => {
  const current = change.set ? [] : await currentLinks(session, context, link);
  return toMany({ services: context.source.services, targets: context.targets, attribute }, change, current);
};

export interface LinkPlan {
  readonly statements: readonly Bound[];
  /** The new keys, by attribute. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
}

/** Plans every change of links that `item` asks for. */
export const planLinks = async (session: Session, context: LinkContext, item: ParsedItem): Promise<LinkPlan> => {
  const statements: Bound[] = [];
  const keys = new Map<string, readonly string[]>();
  for (const [name, change] of item.links) {
    const attribute = attributeOf(context.source.type, name);
    const link = attribute && linkTable(attribute);
    if (attribute && link) {
      const links = await newLinks(session, context, { attribute, link, change });
      const isMorph = "documentType" in link;
      const ids = isMorph ? links.map((key) => key.split(" ")[1] ?? "") : links;
      const types = isMorph ? links.map((key) => key.split(" ")[0] ?? "") : [];
      statements.push(...setLinks(ownerOf(context), context.state, link, ids, types));
      keys.set(name, links);
    } else if (attribute && isInverse(attribute)) {
      statements.push(...(await planInverse(session, context, attribute, change)));
    }
  }
  return { statements, keys };
};

/** Where an inverse relation is stored. */
const keeperOf = ({ services }: Source, { target, mappedBy }: InverseRelation): Keeper => {
  const type = services.registry.contentType(target);
  const attribute = attributeOf(type, mappedBy);
  if (attribute && isToOne(attribute)) {
    return { type, name: mappedBy, column: attribute.column, position: attribute.inversePosition };
  }
  if (attribute && isToMany(attribute)) return { type, name: mappedBy, link: attribute.link };
  throw new Error(`${mappedBy} of ${target} stores no relation`);
};

const bothLocalized = (left: ContentType, right: ContentType): boolean => left.localized && right.localized;

const scopeOf = ({ source, state }: LinkContext, { type }: Keeper): Scope => {
  const locale = bothLocalized(source.type, type) ? source.locale : null;
  if (!type.draftAndPublish) return { states: "published", locale };
  return { states: source.type.draftAndPublish ? state : "both", locale };
};

const planInverse = async (
  session: Session,
  context: LinkContext,
  attribute: InverseRelation,
  change: RelationChange,
): Promise<readonly Bound[]> => {
  const { source, targets, documentId } = context;
  const { services } = source;
  const keeper = keeperOf(source, attribute);
  const scope = scopeOf(context, keeper);
  const rows = change.set ? [] : await send(session, selectInverse(keeper, documentId, scope));
  const current = rows.map(([key]) => textOf(key));
  const resolved = { services, targets, attribute };
  const single = attribute.relation === "oneToOne";
  const one = single ? toOne(resolved, change, current[0] ?? null) : null;
  const keys = single ? (one === null ? [] : [one]) : toMany(resolved, change, current);
  const locales = new Map<string, string>();
  for (const reference of [...(change.set ?? []), ...change.connect]) {
    const target = targetOf(services, attribute, reference);
    const key = target && targets.documentId(target, reference);
    const locale = scope.locale ?? reference.locale ?? services.config.locales.default;
    if (key !== undefined) locales.set(key, locale);
  }
  // What was in the list before stays in the locale in which it is.
  return setInverse(keeper, documentId, scope, { keys, locales: keys.map((key) => locales.get(key) ?? "") });
};

/** Ends the relation of whoever owned the target of a two-way one-to-one relation before. */
export const planTakeOvers = (
  context: LinkContext,
  version: Version,
  before: Version | undefined,
): readonly Bound[] => {
  const { source, documentId, state } = context;
  return attributesOf(source.type).flatMap(([name, attribute]) => {
    if (!isToOne(attribute) || attribute.relation !== "oneToOne" || attribute.inverse === undefined) return [];
    const target = version.values[name];
    if (typeof target !== "string" || target === before?.values[name]) return [];
    return [takeOver(source.type, name, attribute.column, { state, documentId, locale: source.locale, target })];
  });
};

/** Makes the links of one state those of the other. */
export const planLinkCopies = (context: LinkContext, direction: { from: State; to: State }): readonly Bound[] =>
  attributesOf(context.source.type).flatMap(([, attribute]) => {
    const link = linkTable(attribute);
    return link ? [copyLinks(ownerOf(context), direction, link)] : [];
  });

/** Publishes the relations that other types with draft & publish store. */
export const planInversePublication = ({ source, documentId }: LinkContext): readonly Bound[] =>
  attributesOf(source.type).flatMap(([, attribute]) => {
    if (!isInverse(attribute)) return [];
    const keeper = keeperOf(source, attribute);
    if (!keeper.type.draftAndPublish) return [];
    return publishInverse(keeper, documentId, bothLocalized(source.type, keeper.type) ? source.locale : null);
  });

/** The links of attributes that have to be there, by attribute. */
export const requiredLinks = async (
  session: Session,
  context: LinkContext,
  required: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const links = new Map<string, readonly string[]>();
  for (const name of required) {
    const attribute = attributeOf(context.source.type, name);
    const link = attribute && linkTable(attribute);
    if (link) links.set(name, await currentLinks(session, context, link));
    else if (attribute && isInverse(attribute)) {
      const keeper = keeperOf(context.source, attribute);
      const rows = await send(session, selectInverse(keeper, context.documentId, scopeOf(context, keeper)));
      links.set(
        name,
        rows.map(([key]) => textOf(key)),
      );
    }
  }
  return links;
};
