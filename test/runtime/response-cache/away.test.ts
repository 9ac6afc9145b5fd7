/** Stored answers are not sent while the database does not answer. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Reader } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";

test("while the database does not answer, no stored answer is sent, and afterwards it is", async () => {
  const original = await freshDatabase("pglite", onTestFinished);
  await migrate(original, "generated/migrations");
  let isAway = false;
  const unlessAway = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (isAway) throw new ServiceUnavailableError();
    return ask();
  };
  const asking =
    (reader: Reader): Reader["rows"] =>
    (...statement) =>
      unlessAway(() => reader.rows(...statement));
  const rows = { rows: asking(original), reader: { rows: asking(original.reader ?? original) } };
  const snapshot = () => unlessAway(async () => original.snapshot?.());
  const app = await exampleApp(onTestFinished, { ...original, ...rows, snapshot });
  const { send, allowPublic, services } = await served(app, onTestFinished);
  await allowPublic("api::tag.tag.find");
  const ask = () => send("GET", "/api/tags?sort=name");
  const query = { body: { query: "{ tags { data { id } } }" } };
  const inGraphql = () => send("POST", "/graphql", query);
  const hits = () => services.responseCache?.hits ?? 0;
  const areBothStored = async (): Promise<boolean> => {
    const before = hits();
    const [rest, graphql] = [await ask(), await inGraphql()];
    expect([rest.text, graphql.text]).toEqual([expect.stringContaining('"data":[]'), '{"data":{"tags":{"data":[]}}}']);
    return hits() === before + 2;
  };
  await expect.poll(areBothStored, SOON).toBe(true);

  isAway = true;
  expect((await ask()).status).toBe(503);
  expect((await inGraphql()).text).toContain('"errors"');
  isAway = false;
  await expect.poll(areBothStored, SOON).toBe(true);
});
