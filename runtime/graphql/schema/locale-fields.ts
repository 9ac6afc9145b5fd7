/** Queries of the configured locales. They are no documents: they come from the configuration, in its order. */
import { ValidationError } from "../../base/errors.ts";
import { describeLocales } from "../../http/rest/locales.ts";
import { checkWindow } from "../../query/index.ts";
import type { ObjectRef, QueryFields } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { Node } from "../node.ts";
import { pageFacts, paginationOf } from "../operations/pagination.ts";
import { pageLimits } from "../page-limits.ts";
import { listArgs } from "./arguments.ts";
import { read } from "./read.ts";
import { collectionResponse, entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

const NAME = "I18NLocale";
const INSTANTS = ["createdAt", "updatedAt", "publishedAt"] as const;
const SORTABLE: ReadonlySet<string> = new Set(["documentId", "name", "code", ...INSTANTS]);

const localeObject = (scope: Scope): ObjectRef =>
  scope.refs.implementedObject(NAME, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...(scope.format === "flat" ? { documentId: t.id({ nullable: false, resolve: read }) } : {}),
        name: t.string({ resolve: read }),
        code: t.string({ resolve: read }),
        ...Object.fromEntries(INSTANTS.map((name) => [name, t.field({ type: "DateTime", resolve: read })])),
      }),
    }),
  );

/** Sorts by terms such as `code:desc`; what comes first counts most. */
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

const localesOf = ({ services: { config } }: GraphqlContext): readonly Node[] => describeLocales(config);

/** A page of the locales, with its paging facts. */
const pageOf = (context: GraphqlContext, args: Readonly<Record<string, unknown>>) => {
  const all = sorted(localesOf(context), args["sort"]);
  const { start, limit, style, page } = checkWindow(
    paginationOf(args["pagination"]),
    pageLimits(context.services.config.graphql),
  );
  const total = all.length;
  const asked = style === "page" ? { page, pageSize: limit } : { start, limit };
  return { rows: all.slice(start, start + limit), facts: pageFacts({ ...asked, total }) };
};

const find = (context: GraphqlContext, id: unknown): Node | null =>
  localesOf(context).find(({ documentId }) => documentId === id) ?? null;

export const addLocaleFields = (scope: Scope): void => {
  localeObject(scope);
  const entity = scope.format === "entity";
  const can = "plugin::i18n.locales.listLocales";
  const connection = (t: QueryFields) =>
    t.field({
      type: collectionResponse(scope, NAME),
      can,
      args: listArgs(scope, t, undefined),
      resolve: (_root, args, context) => {
        const { rows, facts } = pageOf(context, args);
        return entity ? { data: rows, meta: { pagination: facts } } : { nodes: rows, pageInfo: facts };
      },
    });
  scope.builder.queryFields((t) => {
    if (entity) {
      return {
        i18NLocale: t.field({
          type: entityResponse(scope, NAME),
          can,
          args: { id: t.arg.id() },
          resolve: (_root, { id }, context) => ({ data: find(context, id) }),
        }),
        i18NLocales: connection(t),
      };
    }
    return {
      i18NLocale: t.field({
        type: localeObject(scope),
        can,
        args: { documentId: t.arg.id({ required: true }) },
        resolve: (_root, { documentId }, context) => find(context, documentId),
      }),
      i18NLocales_connection: connection(t),
      i18NLocales: t.field({
        type: [localeObject(scope)],
        nullable: { list: false, items: true },
        can,
        args: listArgs(scope, t, undefined),
        resolve: (_root, args, context) => pageOf(context, args).rows,
      }),
    };
  });
};
