/**
 * Prints the memory of a server during a long series of requests that never repeat: queries of new shapes over REST and
 * GraphQL, image uploads, logins, and new users. `npm run memory -- [--minutes 10] [--database postgres|pglite]`. Linux
 * only, as it reads /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { createRandom } from "./chaos/random.ts";
import { residentOf } from "./process-memory.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, database: { type: "string", default: "postgres" } },
});
const minutes = Number(values.minutes);
const SAMPLES = 12;
const WORKERS = 4;

const repository = path.resolve(import.meta.dirname, "..");
const program = path.join(repository, "dist", "generator", "cli.js");
const root = mkdtempSync(path.join(tmpdir(), "galley-memory-"));
const postgres = values.database === "postgres" ? await startEmbedded(["jit=off"]) : undefined;
const env = {
  ...process.env,
  JWT_SECRET: "a secret for measurements only, long enough",
  API_TOKEN_SALT: "a salt for measurements only",
  ...(postgres ? { DATABASE_URL: postgres.url } : {}),
};

const cms = (...args: string[]): string =>
  execFileSync(process.execPath, [program, "--root", root, ...args], {
    encoding: "utf8",
    env,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();

const makeProject = (): string => {
  mkdirSync(root, { recursive: true });
  cpSync(path.join(import.meta.dirname, "bench", "content-types"), path.join(root, "content-types"), {
    recursive: true,
  });
  writeFileSync(
    path.join(root, "cms.config.ts"),
    "export default { auth: { rateLimit: false, passwords: { rounds: 4 } } };\n",
  );
  cms("generate");
  cms("migrate");
  return cms("token", "create", "--name", "memory", "--type", "full-access");
};

/** A module that prints, on request, the size of the heap after garbage collection. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'process.on("SIGUSR2", () => { gc(); gc(); const { heapUsed, external } = process.memoryUsage(); process.stderr.write(`MEMORY ${heapUsed} ${external}\\n`); });',
)}`;

const token = makeProject();
const port = await freePort();
const server = spawn(
  process.execPath,
  ["--expose-gc", "--import", REPORT, program, "--root", root, "start", "--port", String(port)],
  { env, stdio: ["ignore", "ignore", "pipe"] },
);
const base = `http://127.0.0.1:${port}`;

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);

/** Megabytes of the process, and of its heap with external memory. */
const measure = (): Promise<{ readonly resident: number; readonly heap: number; readonly external: number }> =>
  new Promise((resolve) => {
    const hear = (chunk: Buffer): void => {
      const [, heap, external] = /MEMORY (\d+) (\d+)/.exec(chunk.toString()) ?? [];
      if (heap === undefined || external === undefined) return;
      server.stderr.off("data", hear);
      const resident = Math.round(residentOf(server.pid ?? 0));
      resolve({ resident, heap: megabytes(Number(heap)), external: megabytes(Number(external)) });
    };
    server.stderr.on("data", hear);
    server.kill("SIGUSR2");
  });

const authorized = { authorization: `Bearer ${token}` };

const post = (where: string, body: unknown): Promise<Response> =>
  fetch(base + where, {
    method: "POST",
    headers: { ...authorized, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Counts of each kind of request, by outcome. */
const counts = new Map<string, number>();
let requests = 0;

const count = async (what: string, answer: Response): Promise<void> => {
  await answer.arrayBuffer();
  requests += 1;
  const key = `${what} ${answer.status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: "teal" } })
  .jpeg()
  .toBuffer();
let users = 0;
let shapes = 0;

/** A visitor's next request; none repeats in the same form. */
const step = async (random: ReturnType<typeof createRandom>): Promise<void> => {
  shapes += 1;
  const conditions = Array.from({ length: 1 + random.below(12) }, () => {
    const field = random.pick(["title", "slug", "documentId", "views", "createdAt"]);
    const isText = field !== "views" && field !== "createdAt";
    const operator = random.pick(
      isText ? ["$eq", "$ne", "$contains", "$startsWith", "$notNull", "$in"] : ["$gt", "$lt", "$in"],
    );
    const value = field === "createdAt" ? "2020-01-01" : String(random.below(1000));
    const given = operator === "$in" ? `[0]=${value}` : `=${operator === "$notNull" ? "true" : value}`;
    return `[${field}][${operator}]${given}`;
  });
  const query = conditions.map((each, index) => `filters[$or][${index}]${each}`).join("&");
  const kind = random.below(100);
  if (kind < 55)
    await count("REST", await fetch(`${base}/api/articles?${query}&populate=*&_q=${shapes}`, { headers: authorized }));
  else if (kind < 85) {
    const filter = conditions.length;
    const text = `query Q${shapes} { a${shapes}: articles(filters: { title: { contains: "${filter} ${shapes}" } }) { data { id attributes { title b${shapes}: createdAt } } } }`;
    await count("GraphQL", await post("/graphql", { query: text }));
  } else if (kind < 90) {
    users += 1;
    const user = { username: `user${users}`, email: `user${users}@example.test`, password: "Passw0rd!" };
    await count("register", await post("/api/auth/local/register", user));
  } else if (kind < 95) {
    const identifier = `user${1 + random.below(Math.max(users, 1))}`;
    await count("login", await post("/api/auth/local", { identifier, password: "Passw0rd!" }));
  } else if (kind < 98) {
    const body = new FormData();
    body.append("files", new Blob([new Uint8Array(picture)], { type: "image/jpeg" }), `${shapes}.jpg`);
    await count("upload", await fetch(`${base}/api/upload`, { method: "POST", headers: authorized, body }));
  } else await count("create", await post("/api/articles", { data: { title: `Article ${shapes}` } }));
};

const started = async (): Promise<void> => {
  while (!(await fetch(`${base}/_health`).catch(() => undefined))) await new Promise((done) => setTimeout(done, 100));
};

try {
  await started();
  const until = Date.now() + minutes * 60_000;
  const work = async (seed: number): Promise<void> => {
    const random = createRandom(seed);
    while (Date.now() < until) await step(random);
  };
  const workers = Array.from({ length: WORKERS }, (_, index) => work(index + 1));
  console.log(`${values.database}, ${minutes} minutes\nseconds  requests  resident MB  heap MB  external MB`);
  for (let sample = 0; sample <= SAMPLES; sample += 1) {
    const { resident, heap, external } = await measure();
    const seconds = Math.round((minutes * 60 * sample) / SAMPLES);
    console.log(
      [seconds, requests, resident, heap, external]
        .map((each, index) => String(each).padStart(index === 0 ? 7 : 11))
        .join(""),
    );
    const next = until - (minutes * 60_000 * (SAMPLES - sample - 1)) / SAMPLES;
    if (sample < SAMPLES) await new Promise((done) => setTimeout(done, Math.max(0, next - Date.now())));
  }
  await Promise.all(workers);
  console.log(
    [...counts]
      .toSorted()
      .map(([what, times]) => `${what}: ${times}`)
      .join("\n"),
  );
} finally {
  server.kill();
  await postgres?.stop();
  rmSync(root, { recursive: true, force: true });
}
// The PostgreSQL server package would delay the exit.
process.exit(0);
