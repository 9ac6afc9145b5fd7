/** `cms compat`: two servers are asked the same, and what they answer differently is told. */
import { cpSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { cms, cmsOutput, serve } from "../support/cms.ts";
import { comparison, witness } from "../support/compared-servers.ts";
import { content } from "../support/exported-content.ts";
import { freshTables, generatedImportProject } from "../support/import-project.ts";
import { writeArchive } from "../support/strapi-archive.ts";

/** A second project on the same database, with another configuration. */
const sibling = async (root: string, config: string): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-sibling-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  cpSync(root, folder, { recursive: true });
  await writeFile(path.join(folder, "cms.config.ts"), config);
  return folder;
};

let made: Promise<string> | undefined;
const project = (): Promise<string> => (made ??= generatedImportProject(afterAll));

test("servers with other settings differ in what the settings change, and one server not from itself", async () => {
  const root = await project();
  await freshTables(root, (work) => onTestFinished(async () => void (await work())));
  await writeArchive(path.join(root, "export.tar.gz"), content);
  await cms(root, ["import", path.join(root, "export.tar.gz")]);
  const token = await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"]);
  const { url } = await serve(root);

  const same = await cms(root, [
    "compat",
    "--against",
    url,
    "--own",
    url,
    "--token",
    token,
    "--own-token",
    token,
    "--json",
  ]);
  const equal = comparison.parse(JSON.parse(same.stdout));
  expect({ code: same.code, groups: equal.groups }).toEqual({ code: 0, groups: [] });
  expect(equal.requests).toBeGreaterThan(100);

  const config = `import { defineConfig } from "galley-cms";
export default defineConfig({
  locales: { default: "en", codes: ["en", "fr"] },
  rest: { strictParams: false, maxLimit: 1000, drafts: "find", privateAttributes: ["views"] },
});`;
  const { url: old } = await serve(await sibling(root, config));
  const args = ["compat", "--against", old, "--own", url, "--token", token, "--own-token", token];
  const printed = await cms(root, args);
  expect(printed.code).toBe(1);
  expect(printed.stdout).toContain("unknownParameter=1");
  expect(printed.stdout).toContain("there 200, here 400");
  expect(`${printed.stdout}${printed.stderr}`).not.toContain(token);
  for (const setting of [
    "rest.strictParams: false",
    "rest.defaultLimit, rest.maxLimit",
    "private in the schema, fields",
  ])
    expect(printed.stdout).toContain(`(${setting})`);
});

const pages = (query: string): string => `/api/pages?sort[0]=documentId&${query}`;

test("what is asked of a schema has every operator, group, order and way to what is populated", async () => {
  const root = await project();
  const documents = [{ documentId: "a".repeat(24), title: "Tea", views: "3", name: "Ada" }];
  const there = await witness(({ url }) => ({ status: 200, body: { data: url === "/graphql" ? {} : documents } }));
  const asked = await cms(root, ["compat", "--against", there.url, "--own", there.url]);
  expect(asked.code).toBe(0);
  const addresses = new Set(there.seen.map(({ url }) => decodeURIComponent(url ?? "")));
  const texts = ["eqi", "nei", "contains", "containsi", "notContains", "notContainsi"];
  const starts = ["startsWith", "startsWithi", "endsWith", "endsWithi"];
  for (const operator of ["eq", "ne", ...texts, ...starts]) {
    expect(addresses).toContain(pages(`filters[title][$${operator}]=Tea`));
  }
  for (const operator of ["gt", "gte", "lt", "lte"]) {
    expect(addresses).toContain(pages(`filters[views][$${operator}]=3`));
  }
  for (const query of [
    "filters[title]=Tea",
    "filters[title][$in][0]=Tea",
    "filters[title][$notIn][0]=Tea",
    "filters[views][$between][0]=3&filters[views][$between][1]=3",
    "filters[title][$null]=true",
    "filters[title][$notNull]=true",
    "filters[title][$not][$eq]=Tea",
    "filters[$not][title][$eq]=Tea",
    "filters[$or][0][title][$eq]=Tea&filters[$or][1][title][$null]=true",
    "filters[$and][0][title][$eq]=Tea&filters[$and][1][title][$notNull]=true",
    "filters[author][documentId][$notNull]=true",
    "filters[author][name][$notNull]=true",
    "filters[related][title][$notNull]=true",
    "_q=Tea",
    "populate[author]=true",
    "populate[author][populate]=*",
    "populate[cover]=true",
    "populate[sections][on][blocks.hero][populate]=*",
    "populate[sections][on][blocks.quote][populate]=*",
    "status=draft",
    "locale=fr",
  ]) {
    expect(addresses).toContain(pages(query));
  }
  for (const order of ["title:asc", "title:desc", "author.name"]) {
    expect(addresses).toContain(`/api/pages?sort[0]=${order}&sort[1]=documentId`);
  }
  expect([...addresses].filter((each) => each.includes("secret"))).toEqual([]);
  const connections = there.seen.filter(({ body }) => body.includes("pagination {"));
  expect(connections.length).toBeGreaterThan(0);
  expect(connections.filter(({ body }) => /pagination \{[^}]*\bafter\b/.test(body))).toEqual([]);
});

test("of logs and recordings only what reads is asked, tokens go to their own server, and no secret is printed", async () => {
  const root = await project();
  const theirs = await witness(({ url }) =>
    url?.startsWith("/moved")
      ? { status: 302, headers: { Location: ours.url }, body: null }
      : { status: 200, body: { data: [1] } },
  );
  const ours = await witness(() => ({ status: 200, body: { data: [] } }));
  const lines = [
    '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /api/pages?access_token=hidden HTTP/1.1" 200 12',
    '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "DELETE /api/pages/a HTTP/1.1" 200 12',
    "[2026-01-01 00:00:00.000] http: GET /api/writers (12 ms) 200",
    "https://old.example/api/pages?sort=title&populate[author]=true",
    "/moved",
    "/api/auth/email-confirmation?confirmation=abc",
    "/api/connect/github",
    '{"method":"GET","path":"/api/anonymous","auth":"none","status":200,"body":{}}',
    '{"method":"GET","path":"/api/mine","auth":"user:ada","status":200,"body":{}}',
    '{"method":"POST","path":"/graphql","request":{"query":"{ pages { title } }"}}',
    '{"method":"POST","path":"/graphql","request":{"query":"mutation { deletePage(id: 1) { id } }"}}',
    '{"method":"PUT","path":"/api/pages/a","request":{}}',
    "{ broken",
    "",
  ];
  const file = path.join(root, "asked.txt");
  await writeFile(file, lines.join("\n"));
  const args = ["compat", "--against", theirs.url, "--own", ours.url, "--from", file];
  const { code, stdout, stderr } = await cms(root, [...args, "--token", "their-secret", "--own-token", "our-secret"]);
  expect(code).toBe(1);
  expect(stdout).toContain("6 requests");
  expect(stdout).toContain("7 were not asked");
  expect(stdout).toContain("populate[author]=true");
  for (const secret of ["their-secret", "our-secret", "hidden"]) expect(`${stdout}${stderr}`).not.toContain(secret);
  for (const { seen, token } of [
    { seen: theirs.seen, token: "their-secret" },
    { seen: ours.seen, token: "our-secret" },
  ]) {
    expect(seen.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
      [
        "GET /api",
        "GET /api/pages?access_token=hidden",
        "GET /api/writers",
        "GET /api/pages?sort=title&populate[author]=true",
        "GET /moved",
        "GET /api/anonymous",
        "POST /graphql",
      ].toSorted(),
    );
    for (const { url, authorization } of seen) {
      const isAnonymous = url === "/api/anonymous" || url === "/api";
      expect(authorization).toBe(isAnonymous ? undefined : `Bearer ${token}`);
    }
  }
});

test("a server that is not there is told", async () => {
  const root = await project();
  const { code, stderr } = await cms(root, ["compat", "--against", "http://127.0.0.1:9"]);
  expect(code).toBe(2);
  expect(stderr).toContain("http://127.0.0.1:9 does not answer");
});

test("answers without an end or a bottom, and addresses that are no text, are told", async () => {
  const root = await project();
  const hostile = createServer((request, response) => {
    const isEndless = request.url === "/api/endless";
    const status = request.url?.startsWith("/api/%FF") ? 200 : 201;
    response.writeHead(status, { "Content-Type": "application/json" });
    const bodies = new Map([
      ["/api/deep", "[".repeat(200_000) + "]".repeat(200_000)],
      ["/api/long", JSON.stringify({ text: `${"x".repeat(30_000_000)}"[` })],
    ]);
    if (!isEndless) return void response.end(bodies.get(request.url ?? "") ?? "{}");
    const chunk = Buffer.alloc(4_000_000, " ");
    const write = (): void => {
      if (!response.destroyed) response.write(chunk, write);
    };
    return write();
  });
  await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    hostile.closeAllConnections();
    hostile.close();
  });
  const theirs = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  const ours = await witness(() => ({ status: 403, body: {} }));
  const file = path.join(root, "odd.txt");
  await writeFile(file, "/api/endless\n/api/deep\n/api/long\n/api/%FF?status=draft\n");
  const args = ["compat", "--against", theirs, "--from", file, "--json"];
  const { code, stdout } = await cms(root, [...args, "--own", ours.url]);
  const reasons = comparison.parse(JSON.parse(stdout)).groups.map(({ reason, count }) => [reason, count]);
  expect({ code, reasons: reasons.toSorted() }).toEqual({
    code: 1,
    reasons: [
      ["the caller may not do this here", 1],
      ["the other server did not answer", 2],
      ["who may find may not read drafts here", 1],
    ],
  });
  // Two servers that both do not answer are not the same.
  const both = await cms(root, [...args, "--own", theirs]);
  expect(both.code).toBe(1);
  expect(comparison.parse(JSON.parse(both.stdout))).toMatchObject({
    equal: 2,
    groups: [{ reason: "neither of the two answered, or not in a way that can be compared", count: 2 }],
  });
});
