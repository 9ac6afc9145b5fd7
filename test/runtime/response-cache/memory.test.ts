/** Stored answers take no more memory than they may. */
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { served } from "../../support/served-app.ts";

/** Text that hardly shrinks when it is compressed. */
const randomText = (length: number): string => randomBytes(Math.ceil(length / 2)).toString("hex");

/** Asks many different questions until their answers are stored; returns how many are, in the end. */
const start = async (bytes: number, length: number) => {
  const database = await freshDatabase("pglite", onTestFinished);
  await migrate(database, "generated/migrations");
  const app = await exampleApp(onTestFinished, database, { cache: { bytes } });
  const { send, allowPublic, services, token } = await served(app, onTestFinished);
  await allowPublic("api::tag.tag.find", "api::author.author.find");
  const body = { data: { name: "One", slug: "one", biography: randomText(length) } };
  expect((await send("POST", "/api/authors", { token: await token(), body })).status).toBe(201);
  return async (path: string, count: number, coding = "identity"): Promise<number> => {
    const headers = { "accept-encoding": coding };
    const ask = async (number: number): Promise<void> => {
      const { status } = await send("GET", `${path}?filters[slug][$ne]=x${number}`, { headers });
      expect(status).toBe(200);
    };
    for (let number = 0; number < count; number += 1) for (let turn = 0; turn < 3; turn += 1) await ask(number);
    const before = services.responseCache?.hits ?? 0;
    for (let number = count - 1; number >= 0; number -= 1) await ask(number);
    return (services.responseCache?.hits ?? 0) - before;
  };
};

test("of long answers as many are stored as there is room for, and fewer with their compressed forms", async () => {
  const stored = await start(200_000, 20_000);
  expect(await stored("/api/authors", 20)).toBe(9);
  expect(await stored("/api/authors", 20, "gzip")).toBe(6);
});

test("of short answers no more are stored than there is room for the objects around them", async () => {
  const stored = await start(100_000, 10);
  const count = await stored("/api/tags", 150);
  expect(count).toBeGreaterThan(40);
  expect(count).toBeLessThan(100);
});

test("an answer that takes more than an eighth of the memory is not stored", async () => {
  const stored = await start(1_000_000, 130_000);
  expect(await stored("/api/authors", 2)).toBe(0);
});
