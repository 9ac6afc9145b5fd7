/** What an application may say about single resolvers: who may call them, and code that runs around them. */
import type { GraphQLResolveInfo } from "graphql";
import { SetupError } from "../../base/setup-error.ts";
import type { GraphqlContext } from "../context.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** What a policy looks at. */
export interface PolicyContext {
  /** Tells the policies of resolvers from those of routes. */
  readonly type: "graphql";
  readonly parent: unknown;
  readonly args: Arguments;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
  readonly http: Request;
  readonly state: { readonly caller: GraphqlContext["caller"] };
}

/** `true` or `undefined` lets the request pass; anything else blocks it. */
export type Policy = (
  context: PolicyContext,
  config: unknown,
  application: { readonly services: GraphqlContext["services"] },
) => unknown;

/** The resolver further in: the next middleware, or the field's own. */
export type Next = (parent: unknown, args: Arguments, context: GraphqlContext, info: GraphQLResolveInfo) => unknown;

/** May change the arguments, change the answer, or answer without calling `next`. */
export type Middleware = (
  next: Next,
  parent: unknown,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  options: unknown,
) => unknown;

/** What `resolversConfig` says of one field, `Query.articles` for example. */
export interface ResolverConfig {
  /** `false`: anybody may call. A scope: all of these actions must be allowed. */
  readonly auth?: false | { readonly scope: string | readonly string[] };
  /** Functions, names that the application registered, or names with a configuration. */
  readonly policies?: readonly (Policy | string | { readonly name: string; readonly config?: unknown })[];
  readonly middlewares?: readonly (Middleware | string | { readonly name: string; readonly options?: unknown })[];
}

/** Policies and middlewares that resolver configurations refer to by name. */
export interface NamedHandlers {
  readonly policies: Readonly<Record<string, Policy>>;
  readonly middlewares: Readonly<Record<string, Middleware>>;
}

interface Bound<Handler> {
  readonly handler: Handler;
  readonly setting: unknown;
}

const named = <Handler>(handlers: Readonly<Record<string, Handler>>, name: string, kind: string): Handler => {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) {
    const known = Object.keys(handlers);
    throw new SetupError(
      `No ${kind} is registered as "${name}". Registered: ${known.length > 0 ? known.join(", ") : "none"}.`,
    );
  }
  return handler;
};

/** Looks up what a configuration names; an unknown name stops the start. */
export const boundPolicies = (config: ResolverConfig, handlers: NamedHandlers): readonly Bound<Policy>[] =>
  (config.policies ?? []).map((policy) => {
    if (typeof policy === "function") return { handler: policy, setting: {} };
    const { name, config: setting } = typeof policy === "string" ? { name: policy, config: {} } : policy;
    return { handler: named(handlers.policies, name, "policy"), setting: setting ?? {} };
  });

/** The same for middlewares. */
export const boundMiddlewares = (config: ResolverConfig, handlers: NamedHandlers): readonly Bound<Middleware>[] =>
  (config.middlewares ?? []).map((middleware) => {
    if (typeof middleware === "function") return { handler: middleware, setting: {} };
    const { name, options } = typeof middleware === "string" ? { name: middleware, options: {} } : middleware;
    return { handler: named(handlers.middlewares, name, "middleware"), setting: options ?? {} };
  });
