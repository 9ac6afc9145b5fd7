/** Nothing that was recorded is left out. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { recordedAreas } from "./scenario.ts";

test("every recorded area has a file that replays it", () => {
  const files = readdirSync(path.join(import.meta.dirname, "areas"));
  expect(files.toSorted()).toEqual(
    recordedAreas()
      .map((area) => `${area}.test.ts`)
      .toSorted(),
  );
});
