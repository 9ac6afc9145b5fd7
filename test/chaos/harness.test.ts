/** A short run of the chaos harness; `npm run chaos` runs it for as long as you like. */
import { expect, onTestFinished, test } from "vitest";
import { runChaos } from "../../scripts/chaos/run.ts";
import { freshPostgresUrl } from "../support/database.ts";

test("what was acknowledged holds while processes are killed and end, and nobody is left without an answer by one that ends", async () => {
  const trials = await runChaos({
    database: "postgres",
    url: await freshPostgresUrl(onTestFinished),
    processes: 1,
    seed: 7,
    clients: 8,
    duration: 500,
    only: ["kill -9 of a process", "rolling restart (SIGTERM)"],
    goesOn: () => false,
  });
  expect(trials.flatMap(({ fault, findings }) => findings.map((finding) => `${fault}: ${finding}`))).toEqual([]);
  expect(trials.map(({ acknowledged }) => acknowledged > 0)).toEqual([true, true]);
});
