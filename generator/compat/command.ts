/** `cms compat`: sends the same requests to this server and another one, and reports the differences. Read-only. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { isRecord } from "../../runtime/base/is-record.ts";
import { CommandError, exitCodes } from "../commands/exit-codes.ts";
import { loadModel } from "../commands/generate/load-model.ts";
import { openSources } from "../commands/generate/project.ts";
import { rootOf } from "../commands/global-options.ts";
import { withProgress } from "../commands/progress.ts";
import { out } from "../commands/terminal.ts";
import { ask, type Target } from "./ask.ts";
import type { CompatRequest } from "./request.ts";
import { type Comparison, compareServers, type Group } from "./run.ts";
import { graphqlSet } from "./sets/graphql.ts";
import { recordedSet } from "./sets/recorded.ts";
import { restSet } from "./sets/rest.ts";

interface Options {
  readonly against: string;
  readonly own?: string;
  readonly token?: string;
  readonly ownToken?: string;
  readonly from?: string;
  readonly limit: number;
  readonly json?: true;
}

const HELP = `
Examples:
  $ cms compat --against http://localhost:1338
  $ COMPAT_TOKEN=… COMPAT_OWN_TOKEN=… cms compat --against https://old.example --from access.log

Set tokens in COMPAT_TOKEN and COMPAT_OWN_TOKEN to keep them out of process lists.
It only reads: GET requests and GraphQL queries. Exits with 1 if answers differ.`;

const address = (text: string): string => {
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/i.test(text))
    throw new InvalidArgumentError("use an address such as https://old.example.");
  return text.replace(/\/+$/, "");
};

const count = (text: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("use a number from 1 on.");
  return Number(text);
};

export const configure = (command: Command): void => {
  command
    .requiredOption("--against <url>", "the address of the other server", address)
    .option("--own <url>", "the address of this one (default: the port of the configuration on localhost)", address)
    .option("--token <token>", "an API token of the other server (or COMPAT_TOKEN)")
    .option("--own-token <token>", "an API token of this one (or COMPAT_OWN_TOKEN)")
    .option("--from <file>", "an access log, a list of addresses, or recorded exchanges as lines of JSON")
    .option("--limit <number>", "the greatest number of requests", count, 5000)
    .option("--json", "print the result as JSON")
    .addHelpText("after", HELP)
    .action(async (options: Options, own: Command) => {
      const result = await compareBy(rootOf(own), options);
      process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
      if (result.groups.length > 0) process.exitCode = exitCodes.drift;
    });
};

interface Result extends Comparison {
  /** Skipped lines of the file (no read request), and requests beyond the limit. */
  readonly skipped: number;
}

const recorded = (file: string) => {
  if (!existsSync(file)) throw new CommandError(`${file} is not there.`);
  return recordedSet(readFileSync(file, "utf8"));
};

const dataOf = (body: unknown): readonly unknown[] => {
  const list: unknown = isRecord(body) ? body["data"] : body;
  return Array.isArray(list) ? list : [];
};

/** The requests derived from the schema. GraphQL is omitted if the other server has none. */
const madeSet = async (root: string, theirs: Target, prefix: string): Promise<readonly CompatRequest[]> => {
  const { locales } = await loadConfig(root);
  const sources = await openSources(root, undefined);
  const { model } = await loadModel(sources);
  if (model === undefined) throw new CommandError("the schema files have errors: see `cms generate`.");
  const rest = await restSet({
    model,
    prefix,
    locales: locales.codes,
    sample: async (place) => dataOf((await ask(theirs, { kind: "rest", path: place })).body),
  });
  const schema = path.join(sources.folder, "schema.graphql");
  const answer = await ask(theirs, { kind: "graphql", query: "{ __typename }" });
  const hasGraphql = existsSync(schema) && isRecord(answer.body) && isRecord(answer.body["data"]);
  return [...rest, ...(hasGraphql ? graphqlSet(readFileSync(schema, "utf8")) : [])];
};

const compareBy = async (root: string, options: Options): Promise<Result> => {
  const { server, rest, graphql } = await loadConfig(root);
  const theirs: Target = {
    url: options.against,
    token: options.token ?? process.env["COMPAT_TOKEN"],
    graphqlPath: graphql.endpoint,
  };
  const ours: Target = {
    url: options.own ?? `http://localhost:${server.port}`,
    token: options.ownToken ?? process.env["COMPAT_OWN_TOKEN"],
    graphqlPath: graphql.endpoint,
  };
  await demandAnswers(theirs, ours, rest.prefix);
  const set =
    options.from === undefined
      ? { requests: await madeSet(root, theirs, rest.prefix), skipped: 0 }
      : recorded(path.resolve(options.from));
  const requests = set.requests.slice(0, options.limit);
  const told = (done: number): string => `${done} of ${requests.length} requests`;
  const compared = await withProgress(told(0), (show) =>
    compareServers(theirs, ours, requests, (done) => show(told(done))),
  );
  return { ...compared, skipped: set.skipped + set.requests.length - requests.length };
};

/** @throws CommandError if one of the servers is unreachable */
const demandAnswers = async (theirs: Target, ours: Target, prefix: string): Promise<void> => {
  for (const target of [theirs, ours]) {
    const { status, body } = await ask(target, { kind: "rest", path: prefix, anonymous: true });
    if (status !== 0) continue;
    const message = isRecord(body) ? String(body["message"]) : "";
    throw new CommandError(`${target.url} does not answer: ${message}`);
  }
};

const LONGEST = 80;

/** A value on one line. Neutralizes control characters in foreign content. */
const short = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? "nothing").replaceAll(/\p{Cc}/gu, "?");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

const groupLines = ({ kind, reason, setting, count: number, examples }: Group): readonly string[] => [
  `${out.bold(`${number} x ${kind}`)}: ${reason}${setting === undefined ? "" : ` (${setting})`}`,
  ...examples.map(
    ({ request, at, theirs, ours }) =>
      `  ${request.replaceAll(/\p{Cc}/gu, "?").slice(0, 300)}\n    ${at === "" ? "" : `${at}: `}there ${short(theirs)}, here ${short(ours)}`,
  ),
];

const describe = ({ requests, equal, unordered, skipped, groups }: Result): string =>
  [
    ...groups.flatMap(groupLines),
    `${requests} requests: ${equal} answered the same, ${requests - equal - unordered} differently`,
    ...(unordered > 0 ? [`${unordered} only in the order of lists without a sort, which is not defined`] : []),
    ...(skipped > 0 ? [`${skipped} were not asked: they may write, or are beyond --limit`] : []),
    "",
  ].join("\n");
