/**
 * Sends 64 of the most expensive permitted requests at once from one address, while another address requests a list,
 * liveness and readiness: `npm run attack -- [--match sort] [--database postgres|pglite]`. Prints the longest wait of
 * the other address in milliseconds. Build first.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as send } from "node:http";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { configSchema } from "../runtime/config/config.ts";
import { openDatabase } from "../runtime/database/open.ts";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";

const { values } = parseArgs({
  options: {
    match: { type: "string", default: "" },
    database: { type: "string", default: "postgres" },
    requests: { type: "string", default: "64" },
  },
});

const project = path.resolve(import.meta.dirname, "..");
const root = path.join(project, ".cms", "attack");
const cms = path.join(project, "dist", "generator", "cli.js");

const times = "'2021-01-01', '2021-01-01', now()";

/** 1,500 articles with 20 of 100 tags each, 5 of 50 categories and one of 50 authors. */
const CONTENT = `
  insert into documents (document_id, type) select 'd' || n, 'api::article.article' from generate_series(1, 1500) n;
  insert into documents (document_id, type) select 't' || n, 'api::tag.tag' from generate_series(1, 100) n;
  insert into documents (document_id, type) select 'c' || n, 'api::category.category' from generate_series(1, 50) n;
  insert into documents (document_id, type) select 'a' || n, 'api::author.author' from generate_series(1, 50) n;
  insert into tags (document_id, name, slug, created_at, updated_at, published_at)
  select 't' || n, 'Tag ' || n, 'tag-' || n, ${times} from generate_series(1, 100) n;
  insert into categories (document_id, locale, name, slug, created_at, updated_at, published_at)
  select 'c' || n, 'en', 'Category ' || n, 'category-' || n, ${times} from generate_series(1, 50) n;
  insert into authors (document_id, name, slug, created_at, updated_at, published_at)
  select 'a' || n, 'Author ' || n, 'author-' || n, ${times} from generate_series(1, 50) n;
  insert into articles (document_id, locale, title, slug, excerpt, author_document_id, created_at, updated_at, published_at)
  select 'd' || n, 'en', 'Article ' || n, 's-' || n, repeat('words ', 40), 'a' || 1 + n % 50, '2021-01-01', '2021-01-01', at
  from generate_series(1, 1500) n, (values (now()), (null)) as published (at);
  insert into articles_tags (version_id, document_id, position, inverse_position)
  select a.id, 't' || (1 + (a.id * 31 + k * 7) % 100), k, a.id from articles a, generate_series(1, 20) k;
  insert into articles_categories (version_id, document_id, position, inverse_position)
  select a.id, 'c' || (1 + (a.id * 31 + k * 7) % 50), k, a.id from articles a, generate_series(1, 5) k;
  analyze;`;

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
}

const or = Array.from({ length: 40 }, (_, n) => `filters[$or][${n}][tags][articles][title][$containsi]=x${n}`).join(
  "&",
);
const deep = "populate[tags][populate][articles][populate][tags][fields]=name&pagination[pageSize]=100";
const graphql = (query: string): Call => ({ method: "POST", path: "/graphql", body: { query } });

/** Some requests must end in a 400; their cost counts too. `$n` is a different number each time. */
const attacks: Readonly<Record<string, Call>> = {
  "sort, one step": { path: "/api/articles?sort=tags.name&pagination[pageSize]=100&x=$n" },
  "sort, two steps": { path: "/api/articles?sort=tags.articles.title&x=$n" },
  "sort, two keys": { path: "/api/articles?sort[0]=tags.name&sort[1]=categories.name&x=$n" },
  "filter, one step": { path: "/api/articles?filters[tags][name][$containsi]=$n&sort=title" },
  "filter, three steps": { path: "/api/articles?filters[tags][articles][tags][name][$containsi]=x$n" },
  "filter, $not": { path: "/api/articles?filters[$not][tags][articles][title][$containsi]=x$n" },
  "filter, $or of relations": { path: `/api/articles?${or}&x=$n` },
  "filter, many texts": {
    path: `/api/articles?${Array.from({ length: 100 }, (_, n) => `filters[$and][${n}][excerpt][$notContainsi]=z${n}$n`).join("&")}`,
  },
  "populate, three levels": { path: `/api/articles?${deep}&pagination[page]=$n` },
  "populate, sorted": { path: "/api/articles?populate[tags][sort]=articles.title&pagination[pageSize]=100&x=$n" },
  "graphql, aliases": graphql(
    `{${Array.from({ length: 10 }, (_, n) => `a${n}: articles(sort: "tags.name", pagination: {limit: 100}) {data {id attributes {title}}}`).join(" ")}}`,
  ),
  "graphql, deep": graphql(
    "{articles(pagination: {limit: 100}) {data {attributes {tags(pagination: {limit: 100}) {data {attributes {articles(pagination: {limit: 100}) {data {attributes {title tags {data {attributes {name}}}}}}}}}}}}}",
  ),
  "write, one document each": {
    method: "PUT",
    path: "/api/articles/d$n?populate=*",
    body: { data: { title: "New", tags: Array.from({ length: 100 }, (_, n) => `t${n + 1}`) } },
  },
  "write, one document": { method: "PUT", path: "/api/articles/d1", body: { data: { title: "New" } } },
  "write, the inverse side": {
    method: "PUT",
    path: "/api/tags/t$n?populate=*",
    body: { data: { articles: Array.from({ length: 500 }, (_, n) => `d${n + 1}`) } },
  },
};

interface Answered {
  readonly status: number;
  readonly milliseconds: number;
}

const agents = { "127.0.0.1": new Agent({ keepAlive: true }), "127.0.0.2": new Agent({ keepAlive: true }) };

const ask = (port: number, localAddress: keyof typeof agents, call: Call): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const text = call.body && JSON.stringify(call.body);
    const headers =
      text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    const options = {
      host: "127.0.0.1",
      port,
      localAddress,
      method: call.method ?? "GET",
      path: encodeURI(call.path),
      headers,
    };
    const outgoing = send({ ...options, agent: agents[localAddress] }, (response) => {
      response
        .resume()
        .on("end", () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - begun }));
    });
    outgoing.on("error", reject).end(text);
  });

const callOf = ({ path: text, ...rest }: Call, n: number): Call => ({
  ...rest,
  path: text.replaceAll("$n", String(n)),
});

/** The longest wait and all statuses of a request repeated until `over`. */
const watch = async (port: number, address: keyof typeof agents, call: Call, over: AbortSignal) => {
  let longest = 0;
  const statuses = new Set<number>();
  for (let n = 1; !over.aborted; n += 1) {
    const { status, milliseconds } = await ask(port, address, callOf(call, n));
    longest = Math.max(longest, milliseconds);
    statuses.add(status);
    await setTimeout(20);
  }
  return `${Math.round(longest)} (${[...statuses].join()})`;
};

const attack = async (port: number, name: string, call: Call): Promise<void> => {
  const over = new AbortController();
  const others = Promise.all(
    [
      { path: "/api/articles?pagination[pageSize]=25&pagination[page]=$n" },
      { method: "PUT", path: "/api/articles/d1400", body: { data: { excerpt: "Other" } } },
      { path: "/_health" },
      { path: "/_health/ready" },
    ].map((each) => watch(port, "127.0.0.1", each, over.signal)),
  );
  await setTimeout(100);
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: Number(values.requests) }, (_, n) => ask(port, "127.0.0.2", callOf(call, n + 1))),
  );
  const whole = Math.round(performance.now() - begun);
  over.abort();
  const statuses = [...new Set(answers.map(({ status }) => status))].join();
  console.log(`| ${[name, statuses, whole, ...(await others)].join(" | ")} |`);
};

const run = (env: NodeJS.ProcessEnv, ...command: readonly string[]): void => {
  execFileSync(process.execPath, [cms, "--root", root, ...command], { env, stdio: ["ignore", "ignore", "inherit"] });
};

const main = async (server: { readonly url?: string }): Promise<void> => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  cpSync(path.join(project, "content-types"), path.join(root, "content-types"), { recursive: true });
  for (const file of ["app.ts", "seed"])
    rmSync(path.join(root, "content-types", file), { recursive: true, force: true });
  writeFileSync(
    path.join(root, "cms.config.ts"),
    "export default { rest: { strictParams: false }, cache: { enabled: false } };\n",
  );
  const actions = ["article", "author", "category", "tag"].flatMap((name) =>
    ["find", "update"].map((action) => `api::${name}.${name}.${action}`),
  );
  actions.push("api::article.article.publish");
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify({ public: actions, authenticated: [] }));
  const { DATABASE_URL: _given, ...others } = process.env;
  const env = { ...others, ...(server.url === undefined ? {} : { DATABASE_URL: server.url }) };
  for (const command of [["generate"], ["migrate"], ["permissions", "apply", "permissions.json"]]) run(env, ...command);
  const database = await openDatabase(configSchema.parse({ database: server }), root);
  await database.script(CONTENT);
  await database.close();
  const port = await freePort();
  const child = spawn(process.execPath, [cms, "--root", root, "start", "--port", String(port)], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    while (!(await ask(port, "127.0.0.1", { path: "/_health" }).catch(() => undefined))) await setTimeout(100);
    console.log(
      "| attack | statuses | all of them, ms | a list | a write | liveness | readiness |\n|---|---|---|---|---|---|---|",
    );
    for (const [name, call] of Object.entries(attacks)) if (name.includes(values.match)) await attack(port, name, call);
  } finally {
    child.kill();
  }
};

const server = values.database === "pglite" ? undefined : await startEmbedded(["jit=off"]);
await main(server ? { url: server.url } : {}).finally(() => server?.stop());
process.exit();
