/** The system under test: a project, its database, and the processes that serve it. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { type Answering, openReceiver, type Received } from "../../test/support/webhook-receiver.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import { cms, createServerProcess, type ServerProcess } from "./servers.ts";

/** The faults' direct connection to PostgreSQL, bypassing the proxies. */
export interface Side {
  /** The server, if it is dedicated and may be restarted. */
  readonly server: Postgres | undefined;
  readonly sql: postgres.Sql;
  /** One for each process of `servers`, in the same order. */
  readonly proxies: readonly Proxy[];
}

export interface World {
  readonly root: string;
  readonly token: string;
  readonly servers: readonly ServerProcess[];
  /** Undefined for an embedded database. */
  readonly side: Side | undefined;
  /** The events that the webhook's receiver got. */
  readonly received: Received[];
  readonly kills: number;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly database: "postgres" | "pglite";
  /** An empty database on a shared server; by default, a dedicated server. */
  readonly url?: string | undefined;
  /** The number of processes that serve one PostgreSQL. */
  readonly processes: number;
  /** How often a fault that kills processes does so, by default once. */
  readonly kills?: number | undefined;
}

const environment = (url: string | undefined): NodeJS.ProcessEnv => {
  const { PORT: _port, HOST: _host, ...rest } = process.env;
  return {
    ...rest,
    NODE_ENV: "production",
    DATABASE_EMBEDDED: "true",
    NO_COLOR: "1",
    DATABASE_URL: url ?? "",
    JWT_SECRET: "a secret for trials of faults only, long enough",
    API_TOKEN_SALT: "a salt for trials of faults only",
  };
};

/** The same address through a proxy. */
const by = (url: string, { port }: Proxy): string => {
  const changed = new URL(url);
  changed.hostname = "127.0.0.1";
  changed.port = String(port);
  return changed.href;
};

/** Generates the project into `root`, migrates its database, and creates a full-access token. */
const prepare = (root: string, url: string | undefined, hook: string): string => {
  cpSync(path.join(import.meta.dirname, "content-types"), path.join(root, "content-types"), { recursive: true });
  writeFileSync(path.join(root, "cms.config.ts"), configOf(hook));
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [cms, "--root", root, ...args], {
      env: environment(url),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }).trim();
  run("generate");
  run("migrate");
  return run("token", "create", "--name", "chaos", "--type", "full-access");
};

/** Retries cover a whole run; claims of a killed process expire after six seconds. */
const configOf = (hook: string): string => `export default {
  locales: { default: "en", codes: ["en", "de"] },
  graphql: { format: "flat" },
  logger: { level: "error" },
  events: {
    webhooks: [{ name: "messages", url: "${hook}", types: ["api::message.message"] }],
    allowAddresses: ["127.0.0.1"],
    timeoutSeconds: 0.5,
    retrySeconds: new Array(1000).fill(0.5),
  },
};
`;

/** Some answers of the receiver are failures, and some never arrive. */
const unreliable: Answering = (response, number) => {
  if (number % 17 === 0) response.destroy();
  else if (number % 31 !== 0) response.writeHead(number % 7 === 0 ? 500 : 204).end();
};

/** Stays writable when the database is made read-only, and waits for a lock no longer than clients do. */
const openSql = (url: string): postgres.Sql =>
  postgres(url, {
    max: 2,
    idle_timeout: 1,
    onnotice: () => {},
    connection: { options: "-c default_transaction_read_only=off -c lock_timeout=30s" },
  });

const openSide = async (url: string, server: Postgres | undefined, processes: number): Promise<Side> => {
  const target = Number(new URL(url).port || 5432);
  const proxies = await Promise.all(Array.from({ length: processes }, () => startProxy(target)));
  return { server, proxies, sql: openSql(url) };
};

/** Sets everything up and starts the servers. */
export const openWorld = async ({ database, url: given, processes, kills = 1 }: WorldOptions): Promise<World> => {
  const parent = path.resolve(import.meta.dirname, "../../.cms/chaos");
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(path.join(parent, "project-"));
  const server = database === "postgres" && given === undefined ? await startPostgres() : undefined;
  const url = server?.url ?? given;
  const endings: (() => void)[] = [];
  const receiver = await openReceiver({ answer: unreliable, atEnd: (work) => endings.push(work) });
  const token = prepare(root, url, receiver.url);
  const side = url === undefined ? undefined : await openSide(url, server, processes);
  const addresses = side && url !== undefined ? side.proxies.map((proxy) => by(url, proxy)) : [undefined];
  const servers = await Promise.all(addresses.map((address) => createServerProcess(root, environment(address))));
  await Promise.all(servers.map((each) => each.start()));
  return {
    root,
    token,
    servers,
    side,
    received: receiver.received,
    kills,
    async close() {
      for (const each of servers) await each.end("SIGKILL");
      await side?.sql.end({ timeout: 1 });
      await Promise.all(side?.proxies.map((proxy) => proxy.close()) ?? []);
      await server?.stop();
      for (const end of endings) end();
      rmSync(root, { recursive: true, force: true });
    },
  };
};
