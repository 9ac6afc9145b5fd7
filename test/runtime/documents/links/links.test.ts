/** Relations that are written from both sides at once, held against a model of writers that come one after the other. */
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { bothDatabases, freshDatabase } from "../../../support/database.ts";
import { countingDeadlocks } from "../../../support/deadlocks.ts";
import { RUNS } from "../../../support/thorough.ts";
import { waves } from "./operations.ts";
import { Run } from "./run.ts";
import { createLinkWorld, type Variant } from "./world.ts";

const variants: readonly Variant[] = [
  { name: "with drafts", itemDrafts: true, groupDrafts: true, localized: false },
  { name: "without drafts", itemDrafts: false, groupDrafts: false, localized: false },
  { name: "with drafts of items only", itemDrafts: true, groupDrafts: false, localized: false },
  { name: "with drafts of groups only", itemDrafts: false, groupDrafts: true, localized: false },
  { name: "with drafts and locales", itemDrafts: true, groupDrafts: true, localized: true },
];
const cases = variants.flatMap((variant) => bothDatabases.map((kind) => [variant.name, kind, variant] as const));

test.each(cases)(
  "writers of relations %s at once leave what some order of them leaves on %s",
  async (_, kind, variant) => {
    const counted = countingDeadlocks(await freshDatabase(kind, onTestFinished));
    const world = await createLinkWorld(counted.database, variant);
    await fc.assert(
      fc.asyncProperty(waves, async (sent) => {
        const run = await Run.begin(world, variant);
        for (const wave of sent) await run.wave(wave);
      }),
      { numRuns: RUNS.links[kind], endOnFailure: true },
    );
    expect(counted.deadlocks).toBe(0);
  },
);
