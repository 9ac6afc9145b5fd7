/** Validates the rules of the configuration when the application loads. */
import { type PlacedRule, placedRules, sampleOf } from "../access/row-rules.ts";
import { didYouMean } from "../base/did-you-mean.ts";
import { HttpError } from "../base/errors.ts";
import { ConfigError, messageOf } from "../base/thrown.ts";
import type { Uid } from "../schema/content-type.ts";
import { isUid } from "../schema/uid.ts";
import { type Known, RuleCheck, uidOf } from "./row-conditions.ts";
import type { Owner, Schema } from "./schema.ts";

/** Actions on existing documents, or that store one. */
const ACTIONS = [
  "find",
  "findOne",
  "create",
  "update",
  "delete",
  "publish",
  "unpublish",
  "discardDraft",
  "readDraft",
  "schedule",
];

/** The names that filters may use at a path. */
const namesAt = (schema: Schema, uid: Uid, path: string): Iterable<string> => {
  let owner: Owner = schema.type(uid);
  for (const name of path.split(".")) {
    const member = owner.members.get(name);
    if (member?.kind === "relation" && member.target !== undefined) owner = schema.type(member.target);
    else if (member?.kind === "component") owner = schema.component(member.component);
  }
  return owner.members.keys();
};

/** The faults of filters. For a name that does not exist, suggests the nearest one that does. */
const filterFault = ({ revealing }: Known, uid: Uid, error: unknown): string => {
  const { key, path } = error instanceof HttpError ? { key: undefined, path: undefined, ...error.details } : {};
  const meant = typeof key === "string" ? didYouMean(key, namesAt(revealing, uid, String(path ?? ""))) : "";
  return `where: ${messageOf(error)}${meant === "" ? "" : `.${meant}`}`;
};

const localeFaults = ({ config, revealing }: Known, uid: Uid, locales: readonly string[]): readonly string[] => {
  if (locales.length > 0 && !revealing.type(uid).type.localized) return [`locales: "${uid}" is not localized`];
  const { codes } = config.locales;
  return locales
    .filter((locale) => !codes.includes(locale))
    .map((locale) => `locales: "${locale}" is not configured.${didYouMean(locale, codes)}`);
};

const faultsOf = (known: Known, placed: PlacedRule): readonly string[] => {
  const { action, locales = [] } = placed.rule;
  const uid = uidOf(action);
  const own = known.revealing.types.map(({ type }) => type.uid).filter((each) => each.startsWith("api::"));
  if (!isUid(uid) || !own.includes(uid)) {
    return [`rules are about documents, and there is no content type "${uid}".${didYouMean(uid, own)}`];
  }
  const name = action.slice(uid.length + 1);
  if (!ACTIONS.includes(name)) return [`there is no action "${name}" on documents.${didYouMean(name, ACTIONS)}`];
  const faults = localeFaults(known, uid, locales);
  try {
    new RuleCheck(known).one(uid, "either", sampleOf(placed));
    return faults;
  } catch (error) {
    return [...faults, filterFault(known, uid, error)];
  }
};

/** @throws ConfigError that names every invalid rule: its type, its action, its locales, its filters */
export const demandRules = (known: Known): void => {
  const faults = placedRules(known.config).flatMap((placed) =>
    faultsOf(known, placed).map((fault) => `${placed.place}: ${fault}`),
  );
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
};
