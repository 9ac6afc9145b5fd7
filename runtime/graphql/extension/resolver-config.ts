/** Per-resolver configuration: who may call a resolver, and the code that runs around it. */
import type { GraphQLResolveInfo } from "graphql";
import type { HookServices } from "../../documents/hooks.ts";
import type { Use } from "../../http/named.ts";
import type { RestPolicyContext } from "../../http/rest/custom.ts";
import type { ResolverContext } from "../context.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** What a policy of a resolver is given. */
export interface GraphqlPolicyContext {
  /** Tells policies of resolvers apart from those of routes. */
  readonly type: "graphql";
  readonly parent: unknown;
  readonly args: Arguments;
  readonly context: ResolverContext;
  readonly info: GraphQLResolveInfo;
  readonly http: Request;
  readonly state: { readonly caller: ResolverContext["caller"] };
}

/** The same for a policy registered by name, which may guard resolvers and routes. */
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

/** Declared as a method, so that its parameters are bivariant: the runtime's own resolvers fit too. */
interface Resolving {
  next(parent: unknown, args: Arguments, context: ResolverContext, info: GraphQLResolveInfo): unknown;
}

/** Calls the next middleware, or the field's own resolver. */
export type Next = Resolving["next"];

/** May change the arguments or the response, or answer without calling `next`. */
export type Middleware = (
  next: Next,
  parent: unknown,
  args: Arguments,
  context: ResolverContext,
  info: GraphQLResolveInfo,
  options: unknown,
) => unknown;

/** The configuration of one field in `resolversConfig`, such as `Query.articles`. */
export interface ResolverConfig {
  /** `false`: anybody may call it. A scope: the caller must be allowed all of these actions. */
  readonly auth?: false | { readonly scope: string | readonly string[] };
  /** Functions, names of registered policies, or names with a configuration. */
  readonly policies?: readonly Use<GraphqlPolicy, "config">[];
  readonly middlewares?: readonly Use<Middleware, "options">[];
}

/** Policies and middlewares that resolver configurations refer to by name. */
export interface NamedHandlers {
  readonly policies: Readonly<Record<string, Policy>>;
  readonly middlewares: Readonly<Record<string, Middleware>>;
}
