/**
 * Changes that an application makes to the routes of a content type: policies, middlewares, handlers, added queries.
 */
import type { Context, MiddlewareHandler } from "hono";
import { didYouMean } from "../../base/did-you-mean.ts";
import { PolicyError } from "../../base/errors.ts";
import { SetupError } from "../../base/thrown.ts";
import type { HookServices } from "../../documents/hooks.ts";
import type { RawQuery } from "../../query/index.ts";
import type { RouteEnv } from "../context.ts";
import { bind, type Use } from "../named.ts";
import type { JsonAnswer, RestAction, RestBodies } from "./answers.ts";
import { actionOfHandler, type Router } from "./router.ts";

/** What a policy of a route is given. */
export interface RestPolicyContext {
  /** Tells policies of routes apart from those of resolvers. */
  readonly type: "rest";
  /** The request as Hono has it: `c.req.param("documentId")`. */
  readonly c: Context<RouteEnv>;
  readonly http: Request;
  readonly state: { readonly caller: RouteEnv["Variables"]["caller"] };
}

/** `true` or `undefined` lets the request pass; anything else is a 403. */
export type RestPolicy = (
  context: RestPolicyContext,
  config: unknown,
  application: { readonly services: HookServices },
) => unknown;

/** Answers a request. */
export type RestHandler<Answered extends Response = Response> = (c: Context<RouteEnv>) => Answered | Promise<Answered>;

type Of<Action extends string, Item> = { readonly [Name in Action]?: Item };

/** Query parameters that a route adds to the client's query, or a function that computes them. */
export type AddedQuery<Query> = Query | ((c: Context<RouteEnv>) => Query | Promise<Query>);

/** Declared as a method, so that extensions can be collected whatever their types are. */
interface Wrapping<Body> {
  wrap(next: RestHandler<JsonAnswer<Body>>): RestHandler;
}

/** The changes to the routes of one type, by action; `*` stands for all actions. */
export interface RestChanges<Query = object, Answer = object, Bodies extends RestBodies = RestBodies> {
  /** Policies as functions, or as names of `policies` in `app.ts`. They run last, directly before the handler. */
  readonly policies?: Of<RestAction | "*", readonly Use<RestPolicy, "config">[]>;
  /** Hono middlewares. They run after the permission check, in the listed order. */
  readonly middlewares?: Of<RestAction | "*", readonly MiddlewareHandler<RouteEnv>[]>;
  /** Functions that wrap or replace the generated handlers. */
  readonly handlers?: { readonly [Action in RestAction]?: Wrapping<Bodies[Action]>["wrap"] };
  /** Query parameters that apply where the client gives none; `filters` are combined with those of the client. */
  readonly queries?: Of<"find" | "findOne", AddedQuery<Query>> &
    Of<"create" | "update" | "publish" | "unpublish" | "discardDraft", AddedQuery<Answer>>;
}

/** The same for the routes of all content types. */
export type RestChangesOfAll = Pick<RestChanges, "policies" | "middlewares">;

type Policies = Readonly<Record<string, RestPolicy>>;

const guard = (uses: readonly Use<RestPolicy, "config">[], registered: Policies): MiddlewareHandler<RouteEnv> => {
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
  (query: AddedQuery<object>): MiddlewareHandler<RouteEnv> =>
  async (c, next) => {
    const added: RawQuery = { ...(typeof query === "function" ? await query(c) : query) };
    c.set("added", added);
    return next();
  };

type Route = Router["routes"][number];

const itemOf = <Item>(items: Readonly<Record<string, Item | undefined>> | undefined, name: string): Item | undefined =>
  items !== undefined && Object.hasOwn(items, name) ? items[name] : undefined;

/** The middlewares, policies and queries that run before the handler of one action, outermost first. */
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

/**
 * Refuses unknown action names. The types exclude them, but code need not be type-checked, and a policy on a misspelt
 * action would protect nothing.
 */
const refuseUnknown = (changes: RestChanges, known: ReadonlySet<string>, file: string): void => {
  for (const part of [changes.policies, changes.middlewares, changes.handlers, changes.queries]) {
    const unknown = Object.keys(part ?? {}).find((name) => name !== "*" && !known.has(name));
    if (unknown === undefined) continue;
    const hint = didYouMean(unknown, known);
    throw new SetupError(`${file} changes what is not there: there is no route for "${unknown}".${hint}`);
  }
};

/** The changes that apply to the routes of one type. */
interface Changing {
  /** The changes in the type's own extension, whose path is `file`. */
  readonly own: RestChanges;
  readonly file: string;
  readonly all: RestChangesOfAll;
  /** Registered policies by name. */
  readonly registered: Policies;
}

/**
 * The routes with the changes applied.
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
