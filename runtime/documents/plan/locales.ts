/**
 * Attributes with the same value in all locales: copies them from the written version to the versions of the same
 * status in other locales.
 */
import type { Bound, Session, Value } from "../../database/database.ts";
import type { ContentType, FileLinkTable } from "../../schema/content-type.ts";
import { attributeOf, attributesOf, isComponent, isCopiedToLocales, isFileLink } from "../attributes.ts";
import type { Source, WriteServices } from "../context.ts";
import type { LinkKeys } from "../links/relations.ts";
import type { VersionChange } from "../recorders.ts";
import { touchedLocales } from "../sql/allowed.ts";
import { copyFilesToLocales } from "../sql/link.ts";
import { type Step, updateVersion } from "../sql/put.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { copyColumn, parsed } from "./entries.ts";
import { demandRules } from "./extension-rules.ts";
import type { Plan } from "./plan.ts";

/** The JSON of entries without their ids: equal content gives equal text. */
const contentText = (stored: Value | undefined): string =>
  JSON.stringify(parsed(stored), (key, value: unknown) => (key === "id" ? undefined : value));

/** The values in which the other locale differs from `version`. */
const differences = (
  services: WriteServices,
  type: ContentType,
  version: Version,
  other: Version,
  nextId: () => number,
): Record<string, Value> => {
  const changed: Record<string, Value> = {};
  for (const [name, attribute] of attributesOf(type)) {
    if (!isCopiedToLocales(attribute) || !("column" in attribute)) continue;
    const value = version.values[name] ?? null;
    if (!isComponent(attribute)) {
      if (value !== (other.values[name] ?? null)) changed[name] = value;
    } else if (contentText(value) !== contentText(other.values[name])) {
      changed[name] = copyColumn(services, attribute, value, nextId);
    }
  }
  return changed;
};

/** The link tables of files that are the same in all locales. */
const sharedFiles = (type: ContentType): readonly (readonly [name: string, link: FileLinkTable])[] =>
  attributesOf(type).flatMap(([name, attribute]) =>
    isFileLink(attribute) && isCopiedToLocales(attribute) ? [[name, attribute.link] as const] : [],
  );

/** What to store in other locales. */
export type Copies = Pick<Plan, "steps" | "changes">;

export interface Shared {
  /** The version that is written. */
  readonly version: Version;
  /** All versions of the document before the write. */
  readonly versions: readonly LoadedVersion[];
  /** Whether its files are copied too. */
  readonly files: boolean;
  /** Its links, as far as known before it is stored. */
  readonly links: LinkKeys;
}

/**
 * Plans the copies to versions of the same status in other locales. Versions that already have the same values stay
 * unchanged.
 */
export const planLocales = async (
  session: Session,
  source: Source,
  { version, versions, files, links }: Shared,
): Promise<Copies> => {
  const { services, type } = source;
  const { locale, status } = version;
  const others = versions.filter((each) => each.status === status && each.locale !== locale);
  if (others.length === 0) return { steps: [], changes: [] };
  const changes = await services.componentIds.assign(session, (nextId) =>
    others.map((other) => differences(services, type, version, other, nextId)),
  );
  const lists = files ? sharedFiles(type) : [];
  const names = new Set(lists.map(([name]) => name));
  const copied = [...links].filter(([name]) => names.has(name));
  const linksOf = (stored: LinkKeys): LinkKeys => new Map([...stored, ...copied]);
  const updates: Step[] = [];
  const recorded: VersionChange[] = [];
  const action = status === "published" && type.draftAndPublish ? "publish" : "update";
  for (const [index, before] of others.entries()) {
    const changed = changes[index] ?? {};
    const after = { ...before, values: { ...before.values, ...changed } };
    const isChanged = Object.keys(changed).length > 0;
    if (isChanged || copied.length > 0) await demandRules(session, source, before, { after, linksOf });
    if (isChanged) updates.push(updateVersion(type, after));
    if (isChanged || lists.length > 0) recorded.push({ action, type, version: after, before, mayBeSame: !isChanged });
  }
  // What a body names counts as a change of the other locales, too.
  const isFirst = status === "draft" || !type.draftAndPublish;
  const touches = isFirst && copied.length > 0 ? touchedLocales(type, version) : undefined;
  const copies = lists.flatMap(([, link]) => copyFilesToLocales(type, version, link));
  return { steps: [...updates, ...copies.map((bound) => ({ ...bound, touches }))], changes: recorded };
};

/** Plans copying the files of another locale to a new one, for attributes that the body does not set. */
export const planInheritedFiles = (
  type: ContentType,
  from: Version,
  body: Readonly<Record<string, unknown>>,
): readonly Bound[] =>
  sharedFiles(type).flatMap(([name, link]) => (isGiven(body[name]) ? [] : copyFilesToLocales(type, from, link)));

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The attributes that a new locale copies from another one: those that the body does not set. */
export const inheritedNames = (type: ContentType, body: Readonly<Record<string, unknown>>): ReadonlySet<string> =>
  new Set(
    attributesOf(type).flatMap(([name, attribute]) =>
      isCopiedToLocales(attribute) && "column" in attribute && !isGiven(body[name]) ? [name] : [],
    ),
  );

/** The values that a new locale copies. */
export const inheritedValues = (
  services: WriteServices,
  type: ContentType,
  { values }: Version,
  body: Readonly<Record<string, unknown>>,
  nextId: () => number,
): Record<string, Value> => {
  const taken: Record<string, Value> = {};
  for (const name of inheritedNames(type, body)) {
    const attribute = attributeOf(type, name);
    const value = values[name] ?? null;
    taken[name] = attribute && isComponent(attribute) ? copyColumn(services, attribute, value, nextId) : value;
  }
  return taken;
};
