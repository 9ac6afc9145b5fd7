/** Replays recorded exchanges with the service whose wire format we speak. */
import { expect, onTestFinished, test } from "vitest";
import { areas } from "./areas.ts";
import { replay } from "./replay.ts";
import { scenariosOf } from "./scenario.ts";
import { serveCorpus } from "./server.ts";
import { Session } from "./session.ts";

// The scenarios of a mode share one server, and each begins by emptying it.
test.each(["default", "ratelimit"] as const)(
  "every recorded exchange of the areas that pass is answered as recorded, in the mode %s",
  { timeout: 600_000 },
  async (mode) => {
    const { url, tokens } = await serveCorpus(mode);
    const session = new Session(url, tokens);
    onTestFinished(() => session.close());
    const failures: string[] = [];
    for (const area of areas) {
      for (const scenario of scenariosOf(area)) {
        if (scenario.mode === mode) failures.push(...(await replay(session, scenario)));
      }
    }
    expect(failures).toEqual([]);
  },
);
