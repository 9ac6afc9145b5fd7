/** Wraps the resolvers of a finished schema: permission check, middlewares, policies, then the resolver. */
import {
  defaultFieldResolver,
  getNamedType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from "graphql";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, PolicyError } from "../../base/errors.ts";
import { bind } from "../../http/named.ts";
import type { GraphqlContext } from "../context.ts";
import {
  type GraphqlPolicy,
  type Middleware,
  type NamedHandlers,
  type Next,
  type ResolverConfig,
} from "../extension/resolver-config.ts";
import type { Action } from "../extension/shadow-crud.ts";
import type { GraphqlFormat } from "../operations/operations.ts";
import { keepReady } from "./ready.ts";
import type { Scope } from "./scope.ts";

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Wraps the resolvers of `schema` in place; the keys of `configs` are `Type.field`. */
export const guardSchema = (
  schema: GraphQLSchema,
  configs: ReadonlyMap<string, ResolverConfig>,
  handlers: NamedHandlers,
): void => {
  const roots = new Set([schema.getQueryType()?.name, schema.getMutationType()?.name]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const config = configs.get(`${type.name}.${field.name}`);
      const check = permission(config, requiredScope(field.extensions), roots.has(type.name));
      // True of most fields.
      if (config === undefined && check === undefined) continue;
      const resolve: Resolver = field.resolve ?? defaultFieldResolver;
      field.extensions = {
        ...field.extensions,
        [CHECK]: check,
        [IS_RULED]: config !== undefined,
        [HAS_POLICY]: hasPolicy(config),
      };
      const inner = config ? surrounded(config, handlers, resolve) : resolve;
      field.resolve = checked(check, inner);
      keepReady(inner, field.resolve);
    }
  }
};

/** Whether a caller may see a field. */
type Check = (caller: Caller) => boolean;

const CHECK = "galleyCheck";
const IS_RULED = "galleyRuled";
const HAS_POLICY = "galleyPolicy";

type Extended = { readonly extensions: Readonly<Record<string, unknown>> };

const hasPolicy = (config: ResolverConfig | undefined): boolean => (config?.policies ?? []).length > 0;

/** The check of a field in a guarded schema; undefined if anybody may see it. */
export const checkOf = ({ extensions }: Extended): Check | undefined => {
  const check = extensions[CHECK];
  return typeof check === "function" ? (caller) => check(caller) === true : undefined;
};

/**
 * Whether a caller may filter and sort by a field, given the rules in `resolversConfig`. Policies decide about one
 * document at a time, so nobody may filter or sort by a field that they guard.
 */
export const isComparable = (field: Extended, caller: Caller): boolean =>
  field.extensions[IS_RULED] !== true || (field.extensions[HAS_POLICY] !== true && checkOf(field)?.(caller) !== false);

const isKnown: Check = (caller) => caller.kind !== "public";

/** The check for the required actions, or for a known caller on other root fields; undefined if anybody may call. */
const permission = (
  config: ResolverConfig | undefined,
  generated: readonly string[] | undefined,
  isRootField: boolean,
): Check | undefined => {
  const auth = config?.auth;
  if (auth === false) return undefined;
  const scope = auth ? [auth.scope].flat() : generated;
  if (scope) return (caller) => scope.every((action) => caller.can(action));
  return isRootField ? isKnown : undefined;
};

const checked = (check: Check | undefined, resolve: Resolver): Resolver =>
  check === undefined
    ? resolve
    : (parent, args, context, info) => {
        if (!check(context.caller)) throw new ForbiddenError("Forbidden access");
        return resolve(parent, args, context, info);
      };

const surrounded = (config: ResolverConfig, handlers: NamedHandlers, resolve: Resolver): Resolver => {
  const policies = bind<GraphqlPolicy, "config">(config.policies ?? [], handlers.policies, {
    kind: "policy",
    key: "config",
  });
  const middlewares = bind<Middleware, "options">(config.middlewares ?? [], handlers.middlewares, {
    kind: "middleware",
    key: "options",
  });
  if (policies.length === 0 && middlewares.length === 0) return resolve;
  const innermost: Next = async (parent, args, context: GraphqlContext, info) => {
    for (const { handler, setting } of policies) {
      const { http, caller } = context;
      const subject = { type: "graphql", parent, args, context, info, http, state: { caller } } as const;
      const verdict = await handler(subject, setting, context);
      if (verdict !== true && verdict !== undefined) throw new PolicyError();
    }
    return resolve(parent, args, context, info);
  };
  return middlewares.reduceRight<Next>(
    (next, { handler, setting }) =>
      (parent, args, context, info) =>
        handler(next, parent, args, context, info, setting),
    innermost,
  );
};

const SCOPE = "galleyScope";
const OPERATION = "galleyOperation";

type Extensions = Readonly<Record<string, unknown>>;

/** Extensions with the actions that a caller must be allowed, all of them; without any, anybody may call. */
export const requires = (actions: readonly string[]): Extensions => ({ [SCOPE]: actions });

/** The actions that {@link requires} recorded; undefined for a field without any record. */
export const requiredScope = (extensions: Extensions | undefined): readonly string[] | undefined => {
  const scope = extensions?.[SCOPE];
  return Array.isArray(scope) ? scope : undefined;
};

/** The operation of a content type behind a root field. */
interface Operation {
  readonly uid: string;
  readonly action: Action;
  /** The only format that has the operation. */
  readonly format?: GraphqlFormat | undefined;
}

/** Extensions that record the operation. */
export const operation = (operation: Operation): Extensions => ({ [OPERATION]: operation });

const isOperation = (value: unknown): value is Operation => typeof value === "object" && value !== null;

/** Whether the schema has the field; true for everything that is not an operation of a content type. */
export const isOffered = ({ shadow, format }: Scope, extensions: Extensions | null | undefined): boolean => {
  const operation = extensions?.[OPERATION];
  if (!isOperation(operation)) return true;
  return shadow.offers(operation.uid, operation.action) && (operation.format ?? format) === format;
};

const isUpload = ({ type }: GraphQLArgument): boolean => getNamedType(type).name === "Upload";

const takesFiles = ({ args }: GraphQLField<unknown, unknown>): boolean => args.some(isUpload);

/** Checks whether a caller may upload through any field; undefined if no field takes files. */
export const uploadCheck = (schema: GraphQLSchema): ((caller: Caller) => boolean) | undefined => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(takesFiles);
  if (fields.length === 0) return undefined;
  const checks = fields.map(checkOf);
  return (caller) => checks.some((check) => check?.(caller) ?? true);
};
