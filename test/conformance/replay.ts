/** Replays a scenario against a server. */
import { checkStep } from "./check-step.ts";
import { Comparison } from "./compare.ts";
import { deviations, type Scenario, type Step } from "./scenario.ts";
import type { Session } from "./session.ts";

/** How the recordings of an area are compared. */
export interface Reading {
  comparison(scenario: Scenario, run: string): Comparison;
  readonly check: typeof checkStep;
}

const plain: Reading = { comparison: ({ recordedAt }, run) => new Comparison(recordedAt, run), check: checkStep };

/** A step with the answer that is right here, where that is another one. */
const corrected = (step: Step, id: string): Step => {
  const { status, body } = deviations[id] ?? {};
  return body === undefined ? step : { ...step, response: { ...step.response, status: status ?? 200, body } };
};

/** Empties the server, sends all steps, and returns what was answered otherwise than recorded. */
export const replay = async (session: Session, scenario: Scenario, reading = plain): Promise<string[]> => {
  const { area, name, steps } = scenario;
  await session.empty();
  const comparison = reading.comparison(scenario, session.begin());
  const failures: string[] = [];
  for (const step of steps) {
    const id = `${area}/${name}#${step.id}`;
    const deviation = deviations[id];
    const received = await session.send(step);
    if (step.advisory !== undefined || deviation?.skip === true) continue;
    const answerless = deviation?.body === undefined ? deviation : undefined;
    for (const difference of reading.check(corrected(step, id), received, comparison, answerless)) {
      failures.push(`${id} ${step.method} ${step.path}\n    ${difference}`);
    }
  }
  return failures;
};
