/** Queries for the configured locales. Locales are not documents; they come from the configuration, in its order. */
import { ValidationError } from "../../base/errors.ts";
import { describeLocales } from "../../http/rest/locales.ts";
import { checkWindow } from "../../query/index.ts";
import type { ObjectRef, QueryFields } from "../builder.ts";
import type { GraphqlContext, Node } from "../context.ts";
import type { Arguments } from "../operations/operations.ts";
import { pageFacts, paginationOf } from "../operations/pagination.ts";
import { listArgs } from "./arguments.ts";
import { read } from "./ready.ts";
import { collectionResponse, entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

const NAME = "I18NLocale";
const INSTANTS = ["createdAt", "updatedAt", "publishedAt"] as const;
const SORTABLE: ReadonlySet<string> = new Set(["documentId", "name", "code", ...INSTANTS]);

const localeObject = (scope: Scope): ObjectRef =>
  scope.refs.define(NAME, (t) => ({
    ...(scope.format === "flat" ? { documentId: t.id({ nullable: false, resolve: read }) } : {}),
    name: t.string({ resolve: read }),
    code: t.string({ resolve: read }),
    ...Object.fromEntries(INSTANTS.map((name) => [name, t.field({ type: "DateTime", resolve: read })])),
  }));

/** Sorts by terms such as `code:desc`; the first term has the highest priority. */
const sorted = (rows: readonly Node[], sort: unknown): readonly Node[] => {
  const terms = [sort ?? []].flat().map((term) => {
    const [name = "", direction = "asc"] = String(term).split(":");
    if (!SORTABLE.has(name)) throw new ValidationError(`Invalid key ${name}`);
    return { name, sign: direction.toLowerCase() === "desc" ? -1 : 1 };
  });
  return rows.toSorted((left, right) => {
    for (const { name, sign } of terms) {
      const [a, b] = [String(left[name]), String(right[name])];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  });
};

/** A page of the locales, with its page facts. */
const pageOf = ({ limits }: Scope, { services: { config } }: GraphqlContext, args: Arguments) => {
  const all = sorted(describeLocales(config), args["sort"]);
  const { start, limit, style, page } = checkWindow(paginationOf(args["pagination"]), limits);
  const asked = style === "page" ? { page, pageSize: limit } : { start, limit };
  return { rows: all.slice(start, start + limit), facts: pageFacts({ ...asked, total: all.length }) };
};

const find = ({ services: { config } }: GraphqlContext, id: unknown): Node | null =>
  describeLocales(config).find(({ documentId }) => documentId === id) ?? null;

const can = "plugin::i18n.locales.listLocales";

const collection = (scope: Scope, t: QueryFields) =>
  t.field({
    type: collectionResponse(scope, NAME),
    can,
    args: listArgs(scope, t, undefined),
    resolve: (_root, args, context) => {
      const { rows, facts } = pageOf(scope, context, args);
      return scope.format === "entity" ? { data: rows, meta: { pagination: facts } } : { nodes: rows, pageInfo: facts };
    },
  });

const entityFields = (scope: Scope, t: QueryFields) => ({
  i18NLocale: t.field({
    type: entityResponse(scope, NAME),
    can,
    args: { id: t.arg.id() },
    resolve: (_root, { id }, context) => ({ data: find(context, id) }),
  }),
  i18NLocales: collection(scope, t),
});

const flatFields = (scope: Scope, t: QueryFields) => ({
  i18NLocale: t.field({
    type: localeObject(scope),
    can,
    args: { documentId: t.arg.id({ required: true }) },
    resolve: (_root, { documentId }, context) => find(context, documentId),
  }),
  i18NLocales_connection: collection(scope, t),
  i18NLocales: t.field({
    type: [localeObject(scope)],
    nullable: { list: false, items: true },
    can,
    args: listArgs(scope, t, undefined),
    resolve: (_root, args, context) => pageOf(scope, context, args).rows,
  }),
});

export const addLocaleFields = (scope: Scope): void => {
  localeObject(scope);
  scope.builder.queryFields((t) => (scope.format === "entity" ? entityFields(scope, t) : flatFields(scope, t)));
};
