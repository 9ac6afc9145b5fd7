/** Checks the search of a list, and whether the list is sorted by score. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { type Searching } from "../../search/vector.ts";
import { seesAllWords } from "../../search/words.ts";
import type { Condition, Facet, Shape } from "../query.ts";
import type { TypeOwner } from "../schema.ts";
import { validText } from "./cast.ts";
import { booleanWord, type CheckContext, type Position } from "./context.ts";
import { forbiddenKey, unknownKey } from "./position.ts";

/** `_q`: full-text search where the type and the configuration say so, otherwise a substring search. */
export const checkSearch = (
  context: CheckContext,
  owner: TypeOwner,
  raw: unknown,
  { locale, status }: Pick<Shape, "locale" | "status">,
): Condition | undefined => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") throw new ValidationError("Invalid _q parameter. Expected a text");
  const text = validText(String(raw), "_q");
  const { components: deep, engine, typos } = context.config.search;
  const { type } = owner;
  if (type.search && engine !== undefined) {
    context.budget.count("comparisons", { param: "_q", path: null }, text.trim().split(/\s+/).length);
    const codes =
      locale.kind === "one" ? [locale.slot] : context.config.locales.codes.map((code) => context.slot(code));
    const locales = type.localized ? codes : [];
    const words = { kind: "words", words: context.slot(text), locales } as const;
    if (engine !== "postgres" && status === "published" && locales.length < 2 && seesAll(context, owner, type.search))
      return { ...words, hits: context.slot([]) };
    return typos ? { ...words, typos: context.slot(false) } : words;
  }
  // `_` is not escaped: it matches any character, as clients of this wire format expect.
  const literal = text.replaceAll(/[\\%]/g, String.raw`\$&`);
  return { kind: "search", pattern: context.slot(`%${literal}%`), numbers: !Number.isNaN(Number(text)), deep };
};

/** Whether a caller sees all documents of a type, and all words that an engine outside knows of them. */
const seesAll = ({ schema }: CheckContext, { uid, members }: TypeOwner, searching: Searching): boolean =>
  schema.rows?.of(uid, "published") === undefined &&
  seesAllWords({ searching, members: members.values(), membersOf: (part) => schema.component(part).members.values() });

/** Whether `sort` is `_score`, where full-text search applies. */
export const isByScore = ({ config }: CheckContext, sort: unknown): boolean =>
  config.search.engine !== undefined && ["_score", "_score:desc"].includes(String(sort));

/** The maximum number of facets of one query. */
const FACETS = 10;

/** `facets`: the names of enumerations, booleans and relations, as a list or separated by commas. */
export const checkFacets = (at: Position, raw: unknown): readonly Facet[] => {
  const names: unknown = typeof raw === "string" ? raw.split(",").filter((name) => name !== "") : (raw ?? []);
  if (!Array.isArray(names)) throw new ValidationError("Invalid facets parameter. Expected names of attributes");
  const unique = [...new Set(names.map(String))];
  if (unique.length > FACETS) throw new ValidationError(`Invalid facets parameter. It may have ${FACETS} names`);
  return unique.map((name) => checkFacet(at, name));
};

const checkFacet = (at: Position, name: string): Facet => {
  const { context, owner, status } = at;
  const member = owner.members.get(name);
  if (member === undefined) throw unknownKey(name, at);
  if (member.hidden) throw forbiddenKey(name, at);
  if (member.kind === "scalar" && (member.type === "enumeration" || member.type === "boolean"))
    return { name, status: undefined };
  if (member.kind !== "relation" || member.media || member.target === undefined) throw forbiddenKey(name, at);
  if (member.source.type === "localizations" || !context.mayFollow(member) || !context.mayList(owner, member))
    throw forbiddenKey(name, at);
  if (context.schema.type(member.target).members.get("documentId")?.hidden !== false) throw forbiddenKey(name, at);
  return { name, status: context.statusOf(owner, status, member.target, "either") };
};

/** Whether a query of a type may ask what a full-text search has found. */
export const hasFound = ({ config }: Pick<CheckContext, "config">, type: ContentType): boolean =>
  config.search.engine !== undefined && type.search !== undefined;

/** What a list is asked to tell of what it has found. */
export const checkFound = (
  at: Position,
  { facets, snippets }: Readonly<Record<string, unknown>>,
): Pick<Shape, "facets" | "snippets"> => {
  const { context, owner } = at;
  if (!owner.type || !hasFound(context, owner.type)) return {};
  const counted = checkFacets(at, facets);
  return {
    ...(counted.length > 0 ? { facets: counted } : {}),
    ...(booleanWord(snippets) === true ? { snippets: true } : {}),
  };
};

/** @throws ValidationError if there is no score to sort by, or if the list is read with cursors */
export const demandWords = (search: Condition | undefined, pagination: unknown): void => {
  if (isRecord(pagination) && pagination["after"] !== undefined)
    throw new ValidationError("A list that is sorted by _score cannot be read with cursors");
  if (search?.kind === "words") return;
  throw new ValidationError("Invalid key _score. It needs a _q, and a type and configuration with full text search", {
    key: "_score",
    path: "_score",
    source: "query",
    param: "sort",
  });
};
