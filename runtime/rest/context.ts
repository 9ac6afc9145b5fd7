import type { IncomingMessage } from "node:http";
import type { Caller } from "../auth/caller.ts";
import type { Services } from "../services.ts";

/** What handlers find in the request context: set before any route runs. */
export interface AppEnv {
  Bindings: {
    /** The request as Node has it; absent when a test calls the application without a server. */
    incoming?: IncomingMessage;
  };
  Variables: {
    services: Services;
    caller: Caller;
    /** The parsed body of a request that may write; undefined when there was none that we understand. */
    body: unknown;
  };
}
