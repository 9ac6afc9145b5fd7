import type { Caller } from "../access/caller.ts";
import type { Client } from "../database/database.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Services } from "../http/services.ts";
import type { AnswerSize, Budget } from "../query/index.ts";

/** What reads depend on. */
export interface ReadingContext {
  readonly services: Services;
  readonly caller: Caller;
  /** Who waits for the answer; undefined when a test calls the application without a server. */
  readonly client: Client | undefined;
  /** What the answer may not become larger than. */
  readonly size: AnswerSize;
  /** What all fields of a query may spend together; in a mutation each has a budget of its own. */
  readonly budget: Budget | undefined;
}

/** What every resolver gets beside its parent and arguments. */
export interface GraphqlContext extends ReadingContext {
  /** The request, for code of the user's: policies and middlewares. */
  readonly http: Request;
  /** The id that the log has of the request; undefined where nothing observes requests. */
  readonly requestId: string | undefined;
  /** The address of the client, for limits. */
  readonly address: string;
  /** The HTTP status of the answer; an operation that makes something may say 201. */
  readonly answer: { status: 200 | 201 };
}

/** The same for resolvers, policies and middlewares of the application: services as its hooks have them. */
export interface ResolverContext extends Omit<GraphqlContext, "services"> {
  readonly services: HookServices;
}

/** A row as the read engine shapes it: one member per response key of the selection. */
export type Node = Readonly<Record<string, unknown>>;
