import { InvalidArgumentError } from "commander";
import type { Config } from "../../runtime/config/config.ts";

/** Parses `--port`. */
export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
};

/** The configuration with the port of the command line, if one was given. */
export const withPort =
  (port: number | undefined) =>
  (config: Config): Config =>
    port === undefined ? config : { ...config, server: { ...config.server, port } };
