/** What a body does to the links of a version: its own link tables, and relations that other types store. */
import type { Row, Session } from "../database/database.ts";
import type { Attribute, ContentType, InverseRelation } from "../schema/content-type.ts";
import { attributeOf, attributesOf, isFileLink, isInverse, isMorphToMany, isToMany, isToOne } from "./attributes.ts";
import type { ParsedItem } from "./body/parse.ts";
import type { RelationChange } from "./body/relation-value.ts";
import type { State } from "./context.ts";
import { toMany, toOne } from "./links.ts";
import { lockReached, takesOver } from "./reach.ts";
import { type Source, type Targets, targetOf } from "./references.ts";
import { type Keeper, publishInverse, type Scope, selectInverse, setInverse, takeOver } from "./sql/inverse.ts";
import { type AnyLink, type LinkChange, type Owner, selectLinks } from "./sql/link.ts";
import { type Bound, sendAll } from "./sql/statement.ts";
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

/** The keys that an attribute leads to now. */
const selectCurrent = (context: LinkContext, attribute: Attribute): Bound | undefined => {
  const link = linkTable(attribute);
  if (link) return selectLinks(ownerOf(context), context.state, link);
  if (!isInverse(attribute)) return undefined;
  const keeper = keeperOf(context.source, attribute);
  return selectInverse(keeper, context.documentId, scopeOf(context, keeper));
};

/** Keys of documents or files, by attribute; of a morph relation type and documentId. */
export type LinkKeys = ReadonlyMap<string, readonly string[]>;

/** The present links of attributes. Others than links and inverse relations stand in the version itself. */
export const loadLinks = async (session: Session, context: LinkContext, names: Iterable<string>): Promise<LinkKeys> => {
  const selects = [...new Set(names)].flatMap((name) => {
    const attribute = attributeOf(context.source.type, name);
    const bound = attribute && selectCurrent(context, attribute);
    return bound ? [{ name, bound }] : [];
  });
  const results = await sendAll(
    session,
    selects.map(({ bound }) => bound),
  );
  return new Map(selects.map(({ name }, index) => [name, (results[index] ?? []).map(keyOfRow)]));
};

const keyOfRow = ([key, type]: Row): string => (type === undefined ? String(key) : `${String(type)} ${String(key)}`);

/** The attributes whose new links are a change of their present ones. */
export const changedLinks = ({ links }: ParsedItem): readonly string[] =>
  [...links].flatMap(([name, { set }]) => (set ? [] : [name]));

export interface LinkPlan {
  /** The version's own links, which are stored together with it. */
  readonly own: readonly LinkChange[];
  /** Relations that other versions store; to be sent after the version. */
  readonly statements: readonly Bound[];
  /** The new links of the attributes that change. */
  readonly keys: LinkKeys;
}

/** Plans every change of links that `item` asks for; `current` are the links that {@link changedLinks} names. */
export const planLinks = (context: LinkContext, item: ParsedItem, current: LinkKeys): LinkPlan => {
  const { source, targets } = context;
  const own: LinkChange[] = [];
  const statements: Bound[] = [];
  const keys = new Map<string, readonly string[]>();
  for (const [name, change] of item.links) {
    const attribute = attributeOf(source.type, name);
    const link = attribute && linkTable(attribute);
    const present = current.get(name) ?? [];
    if (attribute && link) {
      const links = toMany({ services: source.services, targets, attribute }, change, present);
      const isMorph = "documentType" in link;
      const ids = isMorph ? links.map((key) => key.split(" ")[1] ?? "") : links;
      const types = isMorph ? links.map((key) => key.split(" ")[0] ?? "") : [];
      own.push({ name, link, keys: ids, types });
      keys.set(name, links);
    } else if (attribute && isInverse(attribute)) {
      const links = inverseKeys(context, attribute, change, present);
      statements.push(...planInverse(context, attribute, change, links));
      keys.set(name, links);
    }
  }
  return { own, statements, keys };
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

const inverseKeys = (
  { source: { services }, targets }: LinkContext,
  attribute: InverseRelation,
  change: RelationChange,
  current: readonly string[],
): readonly string[] => {
  const resolved = { services, targets, attribute };
  if (attribute.relation !== "oneToOne") return toMany(resolved, change, current);
  const key = toOne(resolved, change, current[0] ?? null);
  return key === null ? [] : [key];
};

const planInverse = (
  context: LinkContext,
  attribute: InverseRelation,
  change: RelationChange,
  keys: readonly string[],
): readonly Bound[] => {
  const { source, targets, documentId } = context;
  const { services } = source;
  const keeper = keeperOf(source, attribute);
  const scope = scopeOf(context, keeper);
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
    if (!isToOne(attribute) || !takesOver(attribute)) return [];
    const target = version.values[name];
    if (typeof target !== "string" || target === before?.values[name]) return [];
    return [
      // Whoever else takes the target over waits, and then sees who has it. Most writers waited when they began.
      ...lockReached(source.type, [name]),
      takeOver(source.type, name, attribute.column, { state, documentId, locale: source.locale, target }),
    ];
  });
};

/** Every link of the document's version in the state `from`, for its version in the other state. */
export const linksFrom = (type: ContentType, from: State): readonly LinkChange[] =>
  attributesOf(type).flatMap(([name, attribute]) => {
    const link = linkTable(attribute);
    return link ? [{ name, link, from }] : [];
  });

/** Publishes the relations that other types with draft & publish store. */
export const planInversePublication = ({ source, documentId }: LinkContext): readonly Bound[] =>
  attributesOf(source.type).flatMap(([, attribute]) => {
    if (!isInverse(attribute)) return [];
    const keeper = keeperOf(source, attribute);
    if (!keeper.type.draftAndPublish) return [];
    return publishInverse(keeper, documentId, bothLocalized(source.type, keeper.type) ? source.locale : null);
  });
