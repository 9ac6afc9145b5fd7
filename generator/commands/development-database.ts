/** Content is deleted in databases for development alone. */
import type { Config } from "../../runtime/config/config.ts";
import { CommandError } from "./exit-codes.ts";

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|)$/;

/**
 * Refuses production, and another machine, unless its database is named.
 *
 * @throws CommandError
 */
export const refuseForeign = ({ database: { url } }: Config, named: string | undefined): void => {
  if (process.env["NODE_ENV"] === "production")
    throw new CommandError("NODE_ENV is production: a database for development alone can be reset");
  if (url === undefined) return;
  const { hostname, pathname, searchParams } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  const host = searchParams.get("host") ?? hostname;
  if (LOCAL.test(host) || host.startsWith("/") || named === name) return;
  throw new CommandError(
    `the database ${name} of DATABASE_URL is on ${host}, which is not this machine. Where it is for development alone, ` +
      `and nobody else needs what it holds: --database ${name}`,
  );
};
