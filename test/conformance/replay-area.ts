/** One area of the recordings, as tests: a file for each area calls this and nothing else. */
import { expect, inject, onTestFinished, test } from "vitest";
import { type Reading, replay } from "./replay.ts";
import { type Mode, scenariosOf } from "./scenario.ts";
import type { Served } from "./server.ts";
import { Session } from "./session.ts";

/** Borrows a server of the run until the end of the test. */
export const borrowServer = async (mode: Mode): Promise<Served> => {
  const address = `${inject("corpusServers")}/${mode}`;
  // A connection that was kept may be closed by the pool just now.
  const ask = (method: string, body?: string): Promise<Response> =>
    fetch(address, { method, headers: { connection: "close" }, ...(body === undefined ? {} : { body }) });
  const response = await ask("POST");
  const text = await response.text();
  if (!response.ok) throw new Error(`no server: ${text}`);
  onTestFinished(async () => {
    await ask("DELETE", text);
  });
  return JSON.parse(text);
};

/** Declares a test for each mode that the area was recorded in. */
export const replayArea = (area: string, reading?: Reading): void => {
  const scenarios = scenariosOf(area);
  test.each([...new Set(scenarios.map(({ mode }) => mode))])(
    `every recorded exchange of ${area} is answered as recorded, in the mode %s`,
    { timeout: 600_000 },
    async (mode) => {
      const { url, tokens } = await borrowServer(mode);
      const session = new Session(url, tokens);
      onTestFinished(() => session.close());
      const failures: string[] = [];
      for (const scenario of scenarios.filter((each) => each.mode === mode)) {
        failures.push(...(await replay(session, scenario, reading)));
      }
      expect(failures).toEqual([]);
    },
  );
};
