/** Arguments that several fields share. */
import type { ContentType } from "../../schema/content-type.ts";
import { publicationFilters } from "../../schema/publication-filter.ts";
import type { InputRef, MutationFields, ObjectFields, QueryFields } from "../builder.ts";
import type { Scope } from "./scope.ts";
import { paginationArg } from "./shared-types.ts";

type Fields = ObjectFields | QueryFields | MutationFields;

/** `filters`, `pagination` and `sort` of a list; without a filter input there is no `filters`. */
export const listArgs = (scope: Scope, t: Fields, filters: InputRef | undefined) => ({
  ...(filters ? { filters: t.arg({ type: filters }) } : {}),
  pagination: t.arg({ type: paginationArg(scope), defaultValue: {} }),
  sort: t.arg({ type: t.arg.listRef("String", { required: false }), defaultValue: [] }),
});

const publicationState = (scope: Scope) =>
  scope.refs.once("PublicationState", () =>
    scope.builder.enumType("PublicationState", { values: { LIVE: { value: "live" }, PREVIEW: { value: "preview" } } }),
  );

export const publicationStatus = (scope: Scope) =>
  scope.refs.once("PublicationStatus", () =>
    scope.builder.enumType("PublicationStatus", {
      values: { DRAFT: { value: "draft" }, PUBLISHED: { value: "published" } },
    }),
  );

const publicationFilter = (scope: Scope) =>
  scope.refs.once("PublicationFilter", () =>
    scope.builder.enumType("PublicationFilter", {
      values: Object.fromEntries(
        publicationFilters.map((value) => [value.toUpperCase().replaceAll("-", "_"), { value }]),
      ),
    }),
  );

/** Entity format: which versions a list or single type shows. */
export const publicationStateArg = (scope: Scope, t: Fields) => ({
  publicationState: t.arg({ type: publicationState(scope), defaultValue: "live" }),
});

/** Flat format: the version that a write returns, or a read asks for. */
export const statusArg = (scope: Scope, t: Fields) => ({
  status: t.arg({ type: publicationStatus(scope), defaultValue: "published" }),
});

/** Flat format: the version and the publication filter that a read asks for. */
export const publicationArgs = (scope: Scope, t: Fields) => ({
  ...statusArg(scope, t),
  hasPublishedVersion: t.arg.boolean(),
  publicationFilter: t.arg({ type: publicationFilter(scope) }),
});

/** Whether the documents of a type are found by full-text search. */
export const isSearched = ({ searches }: Scope, { search }: ContentType): boolean => searches && search !== undefined;

/** The words to search for. */
export const searchArg = (scope: Scope, t: QueryFields, type: ContentType) =>
  isSearched(scope, type) ? { _q: t.arg.string() } : {};

/** What a page tells of what it has found. */
export const foundArgs = (scope: Scope, t: QueryFields, type: ContentType) =>
  isSearched(scope, type) ? { facets: t.arg.stringList(), snippets: t.arg.boolean() } : {};

/** `locale`, on types that have locales. */
export const localeArg = (t: Fields, { localized }: ContentType) =>
  localized ? { locale: t.arg({ type: "I18NLocaleCode" }) } : {};

/** The locale to read, and those to fall back to. */
export const readLocaleArgs = ({ fallsBack }: Scope, t: QueryFields, type: ContentType) => ({
  ...localeArg(t, type),
  ...(fallsBack && type.localized ? { fallback: t.arg({ type: t.arg.listRef("I18NLocaleCode") }) } : {}),
});

/** The locale to write to, and the one whose values a new locale copies. */
export const translationArgs = (t: MutationFields, type: ContentType) => ({
  ...localeArg(t, type),
  ...(type.localized ? { copyFrom: t.arg({ type: "I18NLocaleCode" }) } : {}),
});
