/** `cms compat` says of each difference why it is there, most likely, and which setting changes that. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { cms, emptyFolder } from "../support/cms.ts";
import { comparison, witness } from "../support/compared-servers.ts";

const fault = (message: string) => ({ error: { message } });
const list = (length: number) => ({ data: Array.from({ length }, () => ({ title: "same" })) });
const page = (pagination: object) => ({ data: [], meta: { pagination } });
const documents = (...ids: string[]) => ({ data: ids.map((documentId) => ({ documentId })) });
type Told = readonly [status: number, body: unknown];
const cases: Readonly<Record<string, readonly [theirs: Told, ours: Told, reason: string]>> = {
  "/api/a?status=draft": [[200, {}], [403, {}], "who may find may not read drafts here"],
  "/api/b": [[200, {}], [401, {}], "the caller may not do this here"],
  "/api/c": [[403, {}], [200, {}], "the caller may not do this there"],
  "/api/d": [[200, {}], [400, fault("Invalid key x")], "parameters that are not known, or not valid, are refused here"],
  "/api/e": [[400, {}], [200, {}], "parameters that are not known, or not valid, are refused there"],
  "/api/f": [[200, {}], [400, fault("see limits.depth")], "it asks for more than may be asked for here"],
  "/api/g": [[200, {}], [404, {}], "there is no such route or document here"],
  "/api/h": [[404, {}], [200, {}], "there is no such route or document there"],
  "/api/i": [[200, {}], [418, {}], "the other server answers 200, this one 418"],
  "/api/j": [[200, page({ pageSize: 25 })], [200, page({ pageSize: 10 })], "pages have other sizes"],
  "/api/k": [[200, page({ total: 1 })], [200, page({ total: 2 })], "there are more, or fewer, documents"],
  "/api/l": [[200, { data: { a: 1 } }], [200, { data: {} }], "an attribute or relation is not shown here"],
  "/api/m": [[200, { data: {} }], [200, { data: { a: 1 } }], "an attribute or relation is not shown there"],
  "/api/n?sort=title": [[200, documents("a", "b")], [200, documents("b", "a")], "documents come in another order"],
  "/api/o": [[200, list(3)], [200, list(2)], "lists have other lengths"],
  "/api/p": [[200, { data: 1 }], [200, { data: 2 }], "values differ"],
  "{ q }": [[400, {}], [200, {}], "the query fits the schema of one of the two only"],
  "{ r }": [[200, { data: {} }], [200, { errors: [{ message: "depth" }] }], "it is deeper than may be asked for here"],
  "{ s }": [[200, {}], [200, { errors: [{ message: "no" }] }], "the query is answered by one of the two only"],
  "{ t }": [[200, list(30)], [200, list(10)], "lists have other lengths"],
};
test("each difference is told with its likeliest reason", async () => {
  const root = await emptyFolder();
  const answering = (side: 0 | 1) =>
    witness(({ url = "", body }) => {
      const name = body === "" ? url : z.object({ query: z.string() }).parse(JSON.parse(body)).query;
      const [status, answer] = cases[name]?.[side] ?? [200, {}];
      return { status, body: answer };
    });
  const [theirs, ours] = [await answering(0), await answering(1)];
  const names = Object.keys(cases);
  const lines = names.map((name) =>
    name.startsWith("/") ? name : JSON.stringify({ method: "POST", path: "/graphql", request: { query: name } }),
  );
  const file = path.join(root, "hints.txt");
  await writeFile(file, lines.join("\n"));
  const args = ["compat", "--against", theirs.url, "--own", ours.url, "--from", file, "--json"];
  const { groups } = comparison.parse(JSON.parse((await cms(root, args)).stdout));
  const told = new Map(
    groups.flatMap(({ reason, examples }) =>
      examples.map(({ request }) => [request.replace(/^(?:GET|query) /, ""), reason] as const),
    ),
  );
  expect(names.map((name) => [name, told.get(name)])).toEqual(names.map((name) => [name, cases[name]?.[2]]));
  const settings = groups.flatMap(({ setting }) => setting ?? []);
  expect(settings).toContain("limits.depth");
  expect(settings).toContain('rest.drafts: "find", or the permission readDraft');
});
