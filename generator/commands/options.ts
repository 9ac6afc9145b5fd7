/** Parses command-line options. */
import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";
import type { Config } from "../../runtime/config/config.ts";

export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.");
  return port;
};

/** The configuration with the command line's port, if given. */
export const withPort =
  (port: number | undefined) =>
  (config: Config): Config =>
    port === undefined ? config : { ...config, server: { ...config.server, port } };

const MOST_WORKERS = 64;

/** A number of processes, or `auto` for one per core. */
export const parseWorkers = (text: string): number => {
  if (text === "auto") return availableParallelism();
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MOST_WORKERS) {
    throw new InvalidArgumentError(`workers are a number from 1 to ${MOST_WORKERS}, or "auto".`);
  }
  return count;
};

export const parseMigrationName = (text: string): string => {
  if (!/[a-z0-9]/i.test(text)) throw new InvalidArgumentError("It has no letters or digits to name a migration by.");
  return text;
};

/** The words of a list separated by commas. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
