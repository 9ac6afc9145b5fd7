/** What requests with a condition cost, and those without, where no answers are kept. */
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import type { Answer } from "../../support/auth-app.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";

const PATH = "/api/tags?filters[slug][$ne]=";

const start = async () => {
  const original = await freshDatabase("pglite", onTestFinished);
  await migrate(original, "generated/migrations");
  const { database, statements } = recording(original);
  const asked: string[] = [];
  const snapshot = async () => {
    asked.push("snapshot");
    return original.snapshot?.();
  };
  const { send, token, allowPublic } = await exampleApp(
    onTestFinished,
    { ...database, snapshot },
    { cache: { enabled: false } },
  );
  await allowPublic("api::tag.tag.find", "api::tag.tag.findOne");
  const secret = await token();
  const create = (slug: string) => send("POST", "/api/tags", { token: secret, body: { data: { name: slug, slug } } });
  const ask = (tag?: string, query = "none", method: "GET" | "HEAD" = "GET"): Promise<Answer> =>
    send(method, `${PATH}${query}`, tag === undefined ? {} : { headers: { "if-none-match": tag } });
  /** What the work runs on the database, and how often it asks for the snapshot. */
  const costOf = async (work: () => Promise<unknown>) => {
    statements.length = 0;
    asked.length = 0;
    await work();
    return { statements: statements.length, questions: asked.length };
  };
  await create("first");
  return { ask, create, costOf };
};

const tagOf = ({ headers }: Answer): string => headers.get("etag") ?? "";

test("a client that has the answer is told so without a read, until something is written", async () => {
  const { ask, create, costOf } = await start();
  const tag = tagOf(await ask());
  for (let turn = 0; turn < 2; turn += 1) expect((await ask(tag)).status).toBe(304);
  const repeated = await costOf(async () => {
    const { status, text, headers } = await ask(tag);
    expect([status, text, headers.get("etag")]).toEqual([304, "", tag]);
  });
  expect(repeated).toEqual({ statements: 0, questions: 1 });

  await create("second");
  const changed = await ask(tag);
  expect(changed.status).toBe(200);
  expect(changed.text).toContain("second");
  const next = tagOf(changed);
  expect(next).not.toBe(tag);
  expect((await ask(next)).status).toBe(304);
  expect(await costOf(async () => expect((await ask(next)).status).toBe(304))).toEqual({ statements: 0, questions: 1 });
});

test("HEAD requests are told as GET requests are, and what either of them has shown holds for the other", async () => {
  const { ask, create, costOf } = await start();
  const tag = tagOf(await ask());
  for (let turn = 0; turn < 2; turn += 1) expect((await ask(tag, "none", "HEAD")).status).toBe(304);
  for (const method of ["HEAD", "GET"] as const) {
    const repeated = await costOf(async () => expect((await ask(tag, "none", method)).status).toBe(304));
    expect(repeated).toEqual({ statements: 0, questions: 1 });
  }
  await create("second");
  const changed = await ask(tag, "none", "HEAD");
  expect([changed.status, changed.text]).toEqual([200, ""]);
  expect(tagOf(changed)).not.toBe(tag);
});

test("a request without a condition, or with one that cannot hold, asks nothing beside its read", async () => {
  const { ask, costOf } = await start();
  const tag = tagOf(await ask());
  const plain = await costOf(() => ask());
  expect(plain.questions).toBe(0);
  expect(plain.statements).toBeGreaterThan(0);
  for (let turn = 0; turn < 3; turn += 1) await ask(tag);
  expect(await costOf(() => ask('W/"another"'))).toEqual(plain);
  expect(await costOf(() => ask("*"))).toEqual(plain);
  expect(await costOf(() => ask())).toEqual(plain);
});

test("where something is written before each request, the state is asked for ever less often", async () => {
  const { ask, create, costOf } = await start();
  let questions = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    await create(`tag-${turn}`);
    const tag = tagOf(await ask());
    questions += (await costOf(async () => expect((await ask(tag)).status).toBe(304))).questions;
  }
  expect(questions).toBeLessThan(20);
});

test("where nothing that is remembered is ever of use, it takes longer until something else is remembered", async () => {
  const { ask, create, costOf } = await start();
  const questions = async (query: string): Promise<number> => {
    const tag = tagOf(await ask(undefined, query));
    const asked = await costOf(async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        await create(`tag-${query}-${turn}`);
        await ask(tag, query);
      }
    });
    return asked.questions;
  };
  const early = await questions("early");
  for (let number = 0; number < 10; number += 1) await questions(`number${number}`);
  expect(await questions("late")).toBeLessThan(early);
});
