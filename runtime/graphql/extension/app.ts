/** What `content-types/app.ts` may export: what belongs to no single content type. */
import type { EventHandlers } from "../../documents/committed-event.ts";
import type { HookServices, WriteHooks, OwnServices } from "../../documents/hooks.ts";
import type { RestChangesOfAll } from "../../http/rest/custom.ts";
import type { Middleware, Policy } from "./resolver-config.ts";
import type { GraphqlExtension } from "./service.ts";

/** What code works with that runs with a server. */
export interface AppTools {
  readonly services: HookServices;
}

/** Code that runs at times of its own. */
export interface Task {
  /** A cron pattern: `0 3 * * *` is each day at three, `* * * * * *` every second. */
  readonly schedule: string;
  /** Whose clock counts, such as `Europe/Berlin`; that of the server when it is left out. */
  readonly timeZone?: string;
  /** What fails here is logged. While it runs it is not begun again. */
  run(tools: AppTools): unknown;
}

/** The default export of `content-types/app.ts`; every part is optional. */
export interface App {
  /**
   * Hooks around every write of every content type, also of users and roles. They run before those of the type itself,
   * which get the data that these return.
   */
  readonly hooks?: WriteHooks & { readonly inTransaction?: WriteHooks };
  /** Policies that routes and GraphQL resolver configurations refer to by name. */
  readonly policies?: Readonly<Record<string, Policy>>;
  /** The same for middlewares around GraphQL resolvers. */
  readonly middlewares?: Readonly<Record<string, Middleware>>;
  /** What is changed of the routes of all content types. */
  readonly rest?: RestChangesOfAll;
  /** Tasks by name. Of the processes that serve one database, one runs them. */
  readonly tasks?: Readonly<Record<string, Task>>;
  /** Receives events once they are committed, each at least once; needs `events` in the configuration. */
  readonly events?: EventHandlers;
  /** Makes services of the application's own, once for each server, before anything else of the application runs. */
  services?(tools: AppTools): OwnServices | Promise<OwnServices>;
  /** What else has to be in order, by name, for `/_health/ready` to say so: an error says that it is not. */
  readonly health?: Readonly<Record<string, (tools: AppTools) => unknown>>;
  /** Runs before the GraphQL schema is built, each time that a server starts. */
  register?(tools: { readonly graphql: GraphqlExtension }): void;
  /** Runs when a server starts, before it answers its first request: an error keeps it from starting. */
  bootstrap?(tools: AppTools): void | Promise<void>;
  /** Runs when a server has answered its last request; the database is open still. What fails here is logged. */
  destroy?(tools: AppTools): void | Promise<void>;
}

/** Types the default export of `content-types/app.ts`. */
export const defineApp = (app: App): App => app;
