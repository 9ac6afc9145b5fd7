/** What the harness makes of answers that are none. */
import { expect, test } from "vitest";
import type { Session } from "../../scripts/chaos/area.ts";
import { createLinks } from "../../scripts/chaos/links.ts";
import { createRandom } from "../../scripts/chaos/random.ts";
import { createTally } from "../../scripts/chaos/tally.ts";

/** A client whose every request is acknowledged with such a body. */
const answering = (body: () => unknown): Session => ({
  random: createRandom(1),
  ask: () => {
    const now = performance.now();
    return Promise.resolve({ outcome: "done", body: body(), called: now, returned: now });
  },
});

test.each([
  ["is cut short", '{"data":{"documentId":"a","mem'],
  ["lacks the relation", { data: { documentId: "a" } }],
])("an acknowledged answer that %s is a fault of its own, and says nothing of what is linked", async (_, broken) => {
  const tally = createTally();
  const links = createLinks(() => tally);
  let made = 0;
  await links.prepare(answering(() => ({ data: { documentId: `d${(made += 1)}` } })));
  await links.readAll(answering(() => broken));
  const kinds = new Set([...tally.wrong.keys()].map((what) => what.split(":")[0]));
  expect(kinds).toEqual(
    new Set([
      "GET item without groups",
      "GET item without owner",
      "GET group without members",
      "GET group without owned",
    ]),
  );
  expect(links.settle().contradictions).toEqual([]);
});
