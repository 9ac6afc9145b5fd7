/** What `content-types/app.ts` may export: what belongs to no single content type. */
import type { Middleware, Policy } from "./resolver-config.ts";
import type { GraphqlExtension } from "./service.ts";

/** The default export of `content-types/app.ts`; every part is optional. */
export interface App {
  /** Policies that GraphQL resolver configurations refer to by name. */
  readonly policies?: Readonly<Record<string, Policy>>;
  /** The same for middlewares around GraphQL resolvers. */
  readonly middlewares?: Readonly<Record<string, Middleware>>;
  /** Runs before the GraphQL schema is built, each time that a server starts. */
  register?(tools: { readonly graphql: GraphqlExtension }): void;
}

/** Types the default export of `content-types/app.ts`. */
export const defineApp = (app: App): App => app;
