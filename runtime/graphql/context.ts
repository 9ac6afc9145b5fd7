import type { Caller } from "../access/caller.ts";
import type { Client } from "../database/database.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Services } from "../http/context.ts";
import type { AnswerSize, Budget } from "../query/index.ts";

/** What reads depend on. */
export interface ReadingContext {
  readonly services: Services;
  readonly caller: Caller;
  /** The client that waits for the response; undefined when a test calls the application without a server. */
  readonly client: Client | undefined;
  /** Tracks the size of the response against its limit. */
  readonly size: AnswerSize;
  /** The budget that all fields of a query share; in a mutation each field has its own. */
  readonly budget: Budget | undefined;
}

/** What every resolver gets besides its parent and arguments. */
export interface GraphqlContext extends ReadingContext {
  /** The request, for the user's own code: policies and middlewares. */
  readonly http: Request;
  /** The id of the request in the log; undefined if nothing observes requests. */
  readonly requestId: string | undefined;
  /** The client's address, for rate limits. */
  readonly address: string;
  /** The HTTP status of the response; an operation that creates something may set 201. */
  readonly answer: { status: 200 | 201 };
}

/** The same for the application's resolvers, policies and middlewares, with the services that its hooks get. */
export interface ResolverContext extends Omit<GraphqlContext, "services"> {
  readonly services: HookServices;
}

/** A row as the read engine shapes it: one member per response key of the selection. */
export type Node = Readonly<Record<string, unknown>>;
