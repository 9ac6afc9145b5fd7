import type { Context } from "hono";
import type { Caller } from "../../access/caller.ts";
/** What reading and writing routes need of a request. */
import type { Config } from "../../config/config.ts";
import type { Client } from "../../database/database.ts";
import { parseQuery, type RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import type { Services } from "../services.ts";

/** A read request. */
export interface ReadRequest {
  readonly services: Services;
  readonly caller: Caller;
  /** The query string, without the `?`. */
  readonly query: string;
  /** The documentId in the path; empty if the path has none. */
  readonly documentId: string;
  /** Query parameters that the route adds. */
  readonly added: RawQuery | undefined;
  /** The client that waits; undefined when a test calls the application without a server. */
  readonly client: Client | undefined;
  /** A request header, by its name in lower case. */
  header(name: string): string | undefined;
}

export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** The part of a Hono context that the functions below need. */
interface Asked {
  readonly req: { readonly url: string };
}

/** The query string of a request, without the `?`. */
const queryOf = ({ req: { url } }: Asked): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The parsed query string. */
export const parsedQueryOf = (
  c: Asked & { readonly var: { readonly services: { readonly config: Config } } },
): RawQuery => parseQuery(queryOf(c), c.var.services.config.rest.arrayLimit);

/** The read request in a Hono context. */
export const readRequestOf = (c: Context<AppEnv>): ReadRequest => ({
  services: c.get("services"),
  caller: c.get("caller"),
  documentId: documentIdOf(c),
  query: queryOf(c),
  added: c.get("added"),
  client: c.get("client"),
  header: (name) => c.req.header(name),
});
