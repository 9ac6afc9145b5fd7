/** Content may be deleted in development databases only. */
import type { Config } from "../../runtime/config/config.ts";
import { CommandError } from "./exit-codes.ts";

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|)$/;

/** Why this database may not be a development one; undefined if it is one, or is named explicitly. */
const foreignReason = ({ database: { url } }: Config, named: string | undefined): string | undefined => {
  if (process.env["NODE_ENV"] === "production")
    return "NODE_ENV is production: only a development database can be reset";
  if (url === undefined) return undefined;
  const { hostname, pathname, searchParams } = new URL(url);
  const name = decodeURIComponent(pathname.slice(1));
  const host = searchParams.get("host") ?? hostname;
  if (LOCAL.test(host) || host.startsWith("/") || named === name) return undefined;
  return (
    `the database ${name} of DATABASE_URL is on ${host}, not on this machine. If it is a development database ` +
    `whose content nobody else needs: --database ${name}`
  );
};

export const isForDevelopment = (config: Config): boolean => foreignReason(config, undefined) === undefined;

/**
 * Refuses production databases, and remote ones unless named explicitly.
 *
 * @throws CommandError
 */
export const refuseForeign = (config: Config, named: string | undefined): void => {
  const reason = foreignReason(config, named);
  if (reason !== undefined) throw new CommandError(reason);
};
