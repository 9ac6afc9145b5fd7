/** What an application changes of the routes of a content type: who passes, what runs around them, what they add. */
import type { Context, MiddlewareHandler } from "hono";
import { didYouMean } from "../../base/did-you-mean.ts";
import { PolicyError } from "../../base/errors.ts";
import { SetupError } from "../../base/setup-error.ts";
import type { RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { bind, type Use } from "../named.ts";
import type { Services } from "../services.ts";
import { actionOfHandler } from "./can.ts";
import type { Router } from "./router.ts";

/** What the routes of content types do, by the last word of their permission. */
export type RestAction =
  | "find"
  | "findOne"
  | "create"
  | "update"
  | "delete"
  | "publish"
  | "unpublish"
  | "discardDraft"
  /** Of users alone. */
  | "count"
  | "me"
  | "destroy";

/** What a policy looks at where it guards a route. */
export interface RestPolicyContext {
  /** Tells the policies of routes from those of resolvers. */
  readonly type: "rest";
  /** The request as Hono has it: `c.req.param("documentId")`. */
  readonly c: Context<AppEnv>;
  readonly http: Request;
  readonly state: { readonly caller: AppEnv["Variables"]["caller"] };
}

/** `true` or `undefined` lets the request pass; anything else is a 403. */
export type RestPolicy = (
  context: RestPolicyContext,
  config: unknown,
  application: { readonly services: Services },
) => unknown;

/** Answers a request. */
export type RestHandler = (c: Context<AppEnv>) => Response | Promise<Response>;

type Of<Action extends string, Item> = { readonly [Name in Action]?: Item };

/** The query that a route adds to those of clients, or what works it out. */
export type AddedQuery<Query> = Query | ((c: Context<AppEnv>) => Query | Promise<Query>);

/** What is changed of the routes of one type; `*` stands for all of them. */
export interface RestChanges<Query = object, Answer = object> {
  /** Functions, or names of `policies` in `app.ts`; they run last before the handler. */
  readonly policies?: Of<RestAction | "*", readonly Use<RestPolicy, "config">[]>;
  /** Hono's middlewares; they run behind the permission, from the first to the last. */
  readonly middlewares?: Of<RestAction | "*", readonly MiddlewareHandler<AppEnv>[]>;
  /** Handlers around the generated one, or in its place. */
  readonly handlers?: Of<RestAction, (next: RestHandler) => RestHandler>;
  /** What is asked where the client does not say otherwise; `filters` hold besides those of the client. */
  readonly queries?: Of<"find" | "findOne", AddedQuery<Query>> &
    Of<"create" | "update" | "publish" | "unpublish" | "discardDraft", AddedQuery<Answer>>;
}

/** The same for the routes of all content types. */
export type RestChangesOfAll = Pick<RestChanges, "policies" | "middlewares">;

type Policies = Readonly<Record<string, RestPolicy>>;

const guard = (uses: readonly Use<RestPolicy, "config">[], registered: Policies): MiddlewareHandler<AppEnv> => {
  const policies = bind<RestPolicy, "config">(uses, registered, { kind: "policy", key: "config" });
  return async (c, next) => {
    const caller = c.get("caller");
    const services = c.get("services");
    for (const { handler, setting } of policies) {
      const verdict = await handler({ type: "rest", c, http: c.req.raw, state: { caller } }, setting, { services });
      if (verdict !== true && verdict !== undefined) throw new PolicyError();
    }
    return next();
  };
};

const adding =
  (query: AddedQuery<object>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const added: RawQuery = { ...(typeof query === "function" ? await query(c) : query) };
    c.set("added", added);
    return next();
  };

type Route = Router["routes"][number];

const itemOf = <Item>(items: Readonly<Record<string, Item | undefined>> | undefined, name: string): Item | undefined =>
  items !== undefined && Object.hasOwn(items, name) ? items[name] : undefined;

/** What is put before the handler of one action by those who have a say, from the outside in. */
const before = (action: string, changes: readonly RestChanges[], registered: Policies) => {
  const names = ["*", action];
  const middlewares = changes.flatMap((each) => names.flatMap((name) => itemOf(each.middlewares, name) ?? []));
  const policies = changes.flatMap((each) => names.flatMap((name) => itemOf(each.policies, name) ?? []));
  const queries = changes.flatMap((each) => {
    const query = itemOf<AddedQuery<object>>(each.queries, action);
    return query ? [adding(query)] : [];
  });
  return [...middlewares, ...(policies.length > 0 ? [guard(policies, registered)] : []), ...queries];
};

const wrapped = (
  handler: Route["handler"],
  wrap: ((next: RestHandler) => RestHandler) | undefined,
): Route["handler"] => {
  if (!wrap) return handler;
  return (c, next) => {
    c.set("isRead", true);
    return wrap(async (own) => (await handler(own, next)) ?? own.res)(c);
  };
};

/** Code that was not type-checked may name anything: a policy that guards nothing would be a hole. */
const refuseUnknown = (changes: RestChanges, known: ReadonlySet<string>, file: string): void => {
  for (const part of [changes.policies, changes.middlewares, changes.handlers, changes.queries]) {
    const unknown = Object.keys(part ?? {}).find((name) => name !== "*" && !known.has(name));
    if (unknown === undefined) continue;
    const hint = didYouMean(unknown, known);
    throw new SetupError(`${file} changes what is not there: there is no route for "${unknown}".${hint}`);
  }
};

/** Who changes routes. */
interface Changing {
  /** The extension of their type, which is in `file`. */
  readonly own: RestChanges;
  readonly file: string;
  readonly all: RestChangesOfAll;
  /** Policies by name. */
  readonly registered: Policies;
}

/**
 * The routes with what is changed of them.
 *
 * @throws SetupError for actions and policies that do not exist
 */
export const changedRoutes = ({ routes }: Router, { own, file, all, registered }: Changing): readonly Route[] => {
  let action: string | undefined;
  const known = new Set<string>();
  const changed = routes.flatMap((route) => {
    const asked = actionOfHandler(route.handler);
    if (asked !== undefined) {
      action = asked.slice(asked.lastIndexOf(".") + 1);
      known.add(action);
      return [route];
    }
    if (action === undefined) return [route];
    const guards = before(action, [all, own], registered).map((handler): Route => ({ ...route, handler }));
    return [...guards, { ...route, handler: wrapped(route.handler, itemOf(own.handlers, action)) }];
  });
  refuseUnknown(own, known, file);
  return changed;
};
