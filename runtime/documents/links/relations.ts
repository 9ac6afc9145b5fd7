/** Plans the changes of a version's links: in its own link tables, and in relations that other types store. */
import { remembering } from "../../base/remembering.ts";
import { type Bound, type Row, sendAll, type Session } from "../../database/database.ts";
import type { Attribute, ContentType, InverseRelation } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Reference, RelationChange } from "../../schema/validation/relation-value.ts";
import { attributeOf, attributesOf, isFileLink, isInverse, isMorphToMany, isToMany } from "../attributes.ts";
import type { ParsedItem } from "../body/parse.ts";
import type { Targets } from "../body/references.ts";
import type { Source } from "../context.ts";
import { touchedDocuments, type Touching } from "../sql/allowed.ts";
import { changeInverse, selectInverse, takeOver, publishInverse } from "../sql/inverse.ts";
import { type AnyLink, type LinkChange, selectLinks } from "../sql/link.ts";
import type { Version } from "../sql/version.ts";
import { toMany, toOne } from "./changes.ts";
import { owningSideOf, scopeOf, sharedLocale, isPlaced, takesOver } from "./reach.ts";

/** The version whose links are meant. */
export interface LinkOwner extends Source {
  readonly documentId: string;
  readonly status: Status;
}

export interface LinkContext extends LinkOwner {
  readonly targets: Targets;
}

/** The context once everything that the write reaches is locked. */
export interface LockedLinks extends LinkContext {
  readonly locked: ReadonlySet<string>;
}

const linkTable = (attribute: Attribute): AnyLink | undefined =>
  isToMany(attribute) || isMorphToMany(attribute) || isFileLink(attribute) ? attribute.link : undefined;

/** Whether the links of an attribute are stored outside the version's row. */
export const hasStoredLinks = (attribute: Attribute | undefined): boolean =>
  attribute !== undefined && (linkTable(attribute) !== undefined || isInverse(attribute));

/** The statement that selects the attribute's current targets. */
const selectCurrent = (owner: LinkOwner, attribute: Attribute): Bound | undefined => {
  const link = linkTable(attribute);
  if (link) return selectLinks(owner.type, owner, link);
  if (!isInverse(attribute)) return undefined;
  const owning = owningSideOf(owner.services, attribute);
  return selectInverse(owning, owner.documentId, scopeOf(owner, owning));
};

/** The targets by attribute: keys of documents or files; for a relation to any type, type and documentId. */
export type LinkKeys = ReadonlyMap<string, readonly string[]>;

/** Loads the current links of attributes that are not stored in the version's row. */
export const loadLinks = async (session: Session, context: LinkOwner, names: Iterable<string>): Promise<LinkKeys> => {
  const selects = [...new Set(names)].flatMap((name) => {
    const attribute = attributeOf(context.type, name);
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

/** The attributes whose current links are needed to compute the new ones. */
export const changedLinks = (type: ContentType, { links }: ParsedItem): readonly string[] =>
  [...links].flatMap(([name, change]) => {
    const attribute = attributeOf(type, name);
    const isInPlace = attribute && isInverse(attribute) ? !isPlaced(change) : change.set !== undefined;
    return isInPlace ? [] : [name];
  });

export interface LinkPlan {
  /** Changes of the version's own links, stored in the same statement as the version. */
  readonly own: readonly LinkChange[];
  /** Statements for relations that other versions store, sent after the version. */
  readonly statements: readonly Touching[];
  /** The new links of the changed attributes. */
  readonly keys: LinkKeys;
}

/** Plans all link changes that `item` requests; `current` has the links of the attributes in {@link changedLinks}. */
export const planLinks = (context: LockedLinks, item: ParsedItem, current: LinkKeys): LinkPlan => {
  const { type, targets } = context;
  const own: LinkChange[] = [];
  const statements: Touching[] = [];
  const keys = new Map<string, readonly string[]>();
  for (const [name, change] of item.links) {
    const attribute = attributeOf(type, name);
    const link = attribute && linkTable(attribute);
    const present = current.get(name) ?? [];
    if (attribute && link) {
      const links = toMany(targets, attribute, change, present);
      const isMorph = "documentType" in link;
      const ids = isMorph ? links.map((key) => key.split(" ")[1] ?? "") : links;
      const types = isMorph ? links.map((key) => key.split(" ")[0] ?? "") : [];
      own.push({ name, link, keys: ids, types });
      keys.set(name, links);
    } else if (attribute && isInverse(attribute)) {
      const planned = planInverse(context, attribute, change, current.get(name));
      statements.push(...planned.statements);
      keys.set(name, planned.keys);
    }
  }
  return { own, statements, keys };
};

/** Plans the change of an inverse relation, and returns the resulting list as far as it is known. */
const planInverse = (
  context: LockedLinks,
  attribute: InverseRelation,
  change: RelationChange,
  found: readonly string[] | undefined,
): { readonly keys: readonly string[]; readonly statements: readonly Touching[] } => {
  const { services, targets, documentId, locked } = context;
  const isSingle = attribute.relation === "oneToOne";
  // Ignores documents that joined the list after the locks were taken: they count as added after this write.
  const current = found?.filter((key) => locked.has(key));
  const only = isSingle ? toOne(targets, attribute, change, current?.[0] ?? null) : null;
  const keys = !isSingle ? toMany(targets, attribute, change, current ?? []) : only === null ? [] : [only];
  const keyOf = (reference: Reference) => targets.find(attribute, reference)?.key ?? [];
  const named = change.set ?? change.connect;
  const locales = new Map(named.flatMap((each) => [keyOf(each)].flat().map((key) => [key, each.locale] as const)));
  const owning = owningSideOf(services, attribute);
  const scope = scopeOf(context, owning);
  const added = keys.filter((key) => locales.has(key));
  const replaces = change.set !== undefined || (isSingle && added.length > 0);
  const leaving = replaces ? [...locked] : change.disconnect.flatMap(keyOf);
  const remove = leaving.filter((key) => !keys.includes(key));
  const others = [...remove, ...added].filter((key) => key !== documentId);
  const touches = others.length > 0 ? touchedDocuments(owning.type, others) : undefined;
  return {
    keys,
    statements: changeInverse(owning, documentId, scope, {
      remove,
      add: added.map((key) => ({
        documentId: key,
        locale: scope.locale ?? locales.get(key) ?? services.config.locales.default,
      })),
      order: change.set || isPlaced(change) ? keys.filter((key) => locked.has(key)) : [],
    }).map((bound) => ({ ...bound, touches })),
  };
};

const takingOver = remembering((type: ContentType) =>
  attributesOf(type).flatMap(([name, attribute]) => (takesOver(attribute) ? [[name, attribute] as const] : [])),
);

/** Removes the links of the previous owners of targets in two-way one-to-one relations. */
export const planTakeOvers = (type: ContentType, version: Version, before: Version | undefined): readonly Touching[] =>
  takingOver(type).flatMap(([name, attribute]) => {
    const target = version.values[name];
    if (typeof target !== "string" || target === before?.values[name]) return [];
    return [takeOver(type, name, attribute.column, version, target)];
  });

/** The changes that copy all links from the document's version in status `from` to its version in the other status. */
export const linksFrom = (type: ContentType, from: Status): readonly LinkChange[] =>
  attributesOf(type).flatMap(([name, attribute]) => {
    const link = linkTable(attribute);
    return link ? [{ name, link, from }] : [];
  });

const inversesOf = remembering((type: ContentType) =>
  attributesOf(type).flatMap(([, attribute]) => (isInverse(attribute) ? [attribute] : [])),
);

/**
 * Publishes relations that the other side stores, in the locked documents. If the other side is the document itself,
 * its link tables have already been copied from the draft, but its columns as loaded are outdated. A new document does
 * not link to itself yet.
 */
export const planInversePublication = (
  { services, type, locale, documentId, locked }: LockedLinks,
  isNew: boolean,
): readonly Bound[] => {
  const inverses = inversesOf(type);
  if (inverses.length === 0) return [];
  // Writes of many documents share the list of locked ones; only those that need the list traverse it.
  const others = [...locked].filter((each) => each !== documentId);
  return inverses.flatMap((attribute) => {
    const owning = owningSideOf(services, attribute);
    if (!owning.type.draftAndPublish) return [];
    const isOwn = owning.type === type && "column" in owning && !isNew;
    const documents = isOwn ? [...others, documentId] : others;
    if (documents.length === 0) return [];
    return publishInverse(owning, documentId, { documents, locale: sharedLocale({ type, locale }, owning.type) });
  });
};
