/** The export of `content-types/app.ts`: code that belongs to no single content type. */
import type { EventHandlers } from "../../documents/committed-event.ts";
import type { HookServices, WriteHooks, OwnServices } from "../../documents/hooks.ts";
import type { RestChangesOfAll } from "../../http/rest/custom.ts";
import type { Middleware, Policy } from "./resolver-config.ts";
import type { GraphqlExtension } from "./service.ts";

/** What code that runs with a server gets. */
export interface AppTools {
  readonly services: HookServices;
}

/** Code that runs on a schedule. */
export interface Task {
  /** A cron pattern: `0 3 * * *` means every day at three, `* * * * * *` every second. */
  readonly schedule: string;
  /** The time zone of the schedule, such as `Europe/Berlin`; by default the server's. */
  readonly timeZone?: string;
  /** Errors are logged. A run that falls due while the previous one still runs is skipped. */
  run(tools: AppTools): unknown;
}

/** The default export of `content-types/app.ts`; every part is optional. */
export interface App {
  /**
   * Hooks around every write of every content type, including users and roles. They run before the hooks of the type
   * itself, which get the data that these return.
   */
  readonly hooks?: WriteHooks & { readonly inTransaction?: WriteHooks };
  /** Policies that routes and GraphQL resolver configurations refer to by name. */
  readonly policies?: Readonly<Record<string, Policy>>;
  /** The same for middlewares around GraphQL resolvers. */
  readonly middlewares?: Readonly<Record<string, Middleware>>;
  /** Changes to the routes of all content types. */
  readonly rest?: RestChangesOfAll;
  /** Tasks by name. Only one of the processes that serve a database runs them. */
  readonly tasks?: Readonly<Record<string, Task>>;
  /** Handlers of committed events, called at least once for each; needs `events` in the configuration. */
  readonly events?: EventHandlers;
  /** Creates the application's own services, once for each server, before any other code of the application runs. */
  services?(tools: AppTools): OwnServices | Promise<OwnServices>;
  /** Additional checks of `/_health/ready`, by name. A check that throws makes the server not ready. */
  readonly health?: Readonly<Record<string, (tools: AppTools) => unknown>>;
  /** Runs each time a server starts, before the GraphQL schema is built. */
  register?(tools: { readonly graphql: GraphqlExtension }): void;
  /** Runs when a server starts, before it answers its first request. An error keeps it from starting. */
  bootstrap?(tools: AppTools): void | Promise<void>;
  /** Runs after a server has answered its last request, while the database is still open. Errors are logged. */
  destroy?(tools: AppTools): void | Promise<void>;
}

/** Types the default export of `content-types/app.ts`. */
export const defineApp = (app: App): App => app;
