/** What an application may say about single resolvers: who may call them, and code that runs around them. */
import type { GraphQLResolveInfo } from "graphql";
import type { HookServices } from "../../documents/hooks.ts";
import type { Use } from "../../http/named.ts";
import type { RestPolicyContext } from "../../http/rest/custom.ts";
import type { ResolverContext } from "../context.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** What a policy looks at where it guards a resolver. */
export interface GraphqlPolicyContext {
  /** Tells the policies of resolvers from those of routes. */
  readonly type: "graphql";
  readonly parent: unknown;
  readonly args: Arguments;
  readonly context: ResolverContext;
  readonly info: GraphQLResolveInfo;
  readonly http: Request;
  readonly state: { readonly caller: ResolverContext["caller"] };
}

/** The same for a policy that is registered by its name: it may guard resolvers and routes. */
export type PolicyContext = GraphqlPolicyContext | RestPolicyContext;

type PolicyOf<Context> = (
  context: Context,
  config: unknown,
  application: { readonly services: HookServices },
) => unknown;

/** `true` or `undefined` lets the request pass; anything else blocks it. */
export type GraphqlPolicy = PolicyOf<GraphqlPolicyContext>;

/** The same for resolvers and routes. */
export type Policy = PolicyOf<PolicyContext>;

/** A method: resolvers of the runtime's own are further in, too. */
interface Resolving {
  next(parent: unknown, args: Arguments, context: ResolverContext, info: GraphQLResolveInfo): unknown;
}

/** The resolver further in: the next middleware, or the field's own. */
export type Next = Resolving["next"];

/** May change the arguments, change the answer, or answer without calling `next`. */
export type Middleware = (
  next: Next,
  parent: unknown,
  args: Arguments,
  context: ResolverContext,
  info: GraphQLResolveInfo,
  options: unknown,
) => unknown;

/** What `resolversConfig` says of one field, `Query.articles` for example. */
export interface ResolverConfig {
  /** `false`: anybody may call. A scope: all of these actions must be allowed. */
  readonly auth?: false | { readonly scope: string | readonly string[] };
  /** Functions, names that the application registered, or names with a configuration. */
  readonly policies?: readonly Use<GraphqlPolicy, "config">[];
  readonly middlewares?: readonly Use<Middleware, "options">[];
}

/** Policies and middlewares that resolver configurations refer to by name. */
export interface NamedHandlers {
  readonly policies: Readonly<Record<string, Policy>>;
  readonly middlewares: Readonly<Record<string, Middleware>>;
}
