/** The statements that a project sends to PostgreSQL: its migrations, and those of a server in use. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startEmbedded } from "../../test/support/embedded-postgres.ts";
import { freePort } from "../../test/support/free-port.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const program = path.join(repository, "dist", "generator", "cli.js");

const execute = promisify(execFile);

/** The prefix of each log entry; continuation lines start with a tab. */
const ENTRY = "@@ ";

/** Statements prepared by a driver are logged as `execute <name>: …`. */
const STATEMENT = /^LOG:\s+(?:statement|execute [^:]*): ([^]*)$/;

const statementsIn = (log: string): readonly string[] =>
  log.split(ENTRY).flatMap((entry) => STATEMENT.exec(entry.trimEnd())?.[1]?.replaceAll("\n\t", "\n") ?? []);

/** Reads and writes over REST and GraphQL, as clients do. */
const use = async (base: string, token: string): Promise<void> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async (route: string, method = "GET", body?: unknown): Promise<string> => {
    const answer = await fetch(`${base}${route}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
    return text;
  };
  const sections = [{ __component: "blocks.quote", text: "Tea" }];
  const created: unknown = JSON.parse(
    await ask("/api/articles", "POST", { data: { title: "Distributed", slug: "distributed", sections } }),
  );
  const [, id = ""] = /"documentId":"(\w+)"/.exec(JSON.stringify(created)) ?? [];
  await ask(`/api/articles/${id}`, "PUT", { data: { title: "Distributed, again" } });
  await ask("/api/articles?populate=*&sort=title&filters[slug][$contains]=a");
  await ask(`/api/articles/${id}?populate=*&status=draft`);
  await ask("/graphql", "POST", {
    query: "{ articles { data { attributes { title author { data { attributes { name } } } } } } }",
  });
  await ask(`/api/articles/${id}`, "DELETE");
};

const served = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const port = await freePort();
  const cms = async (...args: readonly string[]): Promise<string> =>
    (await execute(process.execPath, [program, ...args], { cwd: repository, env })).stdout.trim();
  await cms("migrate");
  await cms("seed");
  await cms("permissions", "apply");
  const token = await cms("token", "create", "--name", "client", "--type", "full-access");
  const base = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [program, "start"], {
    cwd: repository,
    env: { ...env, PORT: String(port) },
    stdio: "ignore",
  });
  try {
    while (!(await fetch(`${base}/_health`).catch(() => undefined))) {
      if (server.exitCode !== null) throw new Error("the server has ended");
      await pause(50);
    }
    await use(base, token);
  } finally {
    server.kill();
    await once(server, "exit");
  }
};

/** The distinct statements that PostgreSQL gets while the example is migrated, seeded and used. */
export const statementsOfExample = async (): Promise<readonly string[]> => {
  let log = "";
  const settings = ["log_statement=all", "log_destination=stderr", `log_line_prefix=${ENTRY}`];
  const server = await startEmbedded(settings, undefined, (text) => {
    log += text;
  });
  try {
    await served({
      ...process.env,
      DATABASE_URL: server.url,
      JWT_SECRET: "a secret for this script only, long enough",
      API_TOKEN_SALT: "a salt for this script only",
    });
  } finally {
    await server.stop();
  }
  return [...new Set(statementsIn(log))];
};
