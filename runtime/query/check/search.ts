/** Checks the search of a list, and whether the list is sorted by score. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Condition, LocaleScope } from "../query.ts";
import { validText } from "./cast.ts";
import type { CheckContext } from "./context.ts";

/** `_q`: full-text search where the type and the configuration say so, otherwise a substring search. */
export const checkSearch = (
  context: CheckContext,
  type: ContentType,
  raw: unknown,
  locale: LocaleScope,
): Condition | undefined => {
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") throw new ValidationError("Invalid _q parameter. Expected a text");
  const text = validText(String(raw), "_q");
  const { components: deep, engine } = context.config.search;
  if (type.search && engine !== undefined) {
    const codes =
      locale.kind === "one" ? [locale.slot] : context.config.locales.codes.map((code) => context.slot(code));
    return { kind: "words", words: context.slot(text), locales: type.localized ? codes : [] };
  }
  // `_` is not escaped: it matches any character, as clients of this wire format expect.
  const literal = text.replaceAll(/[\\%]/g, String.raw`\$&`);
  return { kind: "search", pattern: context.slot(`%${literal}%`), numbers: !Number.isNaN(Number(text)), deep };
};

/** Whether `sort` is `_score`, where full-text search applies. */
export const isByScore = ({ config }: CheckContext, sort: unknown): boolean =>
  config.search.engine !== undefined && (sort === "_score" || sort === "_score:desc");

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
