/** Attributes that are alike in every locale: copied from the version that was written to those of its state. */
import type { Value } from "../database/database.ts";
import type { ContentType, Json } from "../schema/content-type.ts";
import { attributeOf, attributesOf, isComponent, isCopiedToLocales, isFileLink } from "./attributes.ts";
import type { State, WriteServices } from "./context.ts";
import { copyEntries, countStored } from "./entries.ts";
import { copyFilesToLocales, type Owner } from "./sql/link.ts";
import { updateVersion } from "./sql/put-version.ts";
import type { Bound } from "./sql/statement.ts";
import type { LoadedVersion, Version } from "./sql/version.ts";

const parse = (stored: Value | undefined): Json =>
  stored === null || stored === undefined ? null : JSON.parse(String(stored));

/** Entries without their ids: equal contents have equal texts. */
const contentText = (stored: Value | undefined): string =>
  JSON.stringify(parse(stored), (key, value: unknown) => (key === "id" ? undefined : value));

/** The values of `version` that the other locale lacks or has otherwise. */
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
      const copy = copyEntries(services, attribute, parse(value), nextId);
      changed[name] = copy === null ? null : JSON.stringify(copy);
    }
  }
  return changed;
};

export interface Siblings {
  readonly services: WriteServices;
  readonly owner: Owner;
  readonly version: Version;
  /** The versions of the same state in other locales. */
  readonly others: readonly LoadedVersion[];
}

/** Most ids that copying may take. */
export const countCopies = ({ owner, version, others }: Siblings): number => {
  if (others.length === 0) return 0;
  const components = attributesOf(owner.type).filter(([, each]) => isComponent(each) && isCopiedToLocales(each));
  const entries = components.reduce((sum, [name]) => sum + countStored(parse(version.values[name])), 0);
  return entries * others.length;
};

/** Plans the copying. Versions that have the values already are not touched; files are copied when `files` says so. */
export const planCopies = (
  { services, owner, version, others }: Siblings,
  state: State,
  nextId: () => number,
  files: boolean,
): readonly Bound[] => {
  const { type, documentId } = owner;
  const updates = others.flatMap((other) => {
    const changed = differences(services, type, version, other, nextId);
    if (Object.keys(changed).length === 0) return [];
    return [updateVersion(type, documentId, { ...other, values: { ...other.values, ...changed } })];
  });
  if (others.length === 0 || !files) return updates;
  const links = attributesOf(type).flatMap(([, attribute]) =>
    isFileLink(attribute) && isCopiedToLocales(attribute) ? copyFilesToLocales(owner, state, attribute.link) : [],
  );
  return [...updates, ...links];
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Attributes that a new locale of a document takes over from another one: those that the body does not set. */
export const inheritedNames = (type: ContentType, body: Readonly<Record<string, unknown>>): ReadonlySet<string> =>
  new Set(
    attributesOf(type).flatMap(([name, attribute]) =>
      isCopiedToLocales(attribute) && "column" in attribute && !isGiven(body[name]) ? [name] : [],
    ),
  );

/** Most ids that taking over may take. */
export const countInherited = (type: ContentType, { values }: Version): number =>
  attributesOf(type).reduce(
    (sum, [name, attribute]) => sum + (isComponent(attribute) ? countStored(parse(values[name])) : 0),
    0,
  );

/** The values that a new locale takes over. */
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
    if (attribute && isComponent(attribute)) {
      const copy = copyEntries(services, attribute, parse(value), nextId);
      taken[name] = copy === null ? null : JSON.stringify(copy);
    } else taken[name] = value;
  }
  return taken;
};
