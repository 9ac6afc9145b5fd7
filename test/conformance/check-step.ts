/** Whether one step was answered as recorded. */
import { brief, type Comparison } from "./compare.ts";
import type { Deviation, Step } from "./scenario.ts";
import type { Received } from "./session.ts";

const HEADERS = ["content-type", "allow", "location"];

const normalHeader = (name: string, value: string | string[] | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const text = String(value);
  if (name === "content-type")
    return text
      .toLowerCase()
      .replaceAll(/\s/g, "")
      .replace(/;charset=utf-8$/, "");
  return name === "allow" ? text.split(/,\s*/).toSorted().join(", ") : text;
};

/** What is different from the recorded answer, as sentences; nothing when it passes. */
export const checkStep = (
  step: Step,
  received: Received,
  comparison: Comparison,
  deviation: Deviation | undefined,
): string[] => {
  const { response } = step;
  if (deviation !== undefined && deviation.headers === undefined) {
    if (received.status === deviation.status) return [];
    if (deviation.orRecorded !== true)
      return [`status: expected ${deviation.status} (${deviation.why}), got ${received.status}`];
  }
  // Where the recorded service crashed, any error is an answer.
  if (response.status === 500) {
    return received.status >= 400
      ? []
      : [`status: expected an error, got ${received.status} ${brief(received.text, 120)}`];
  }
  if (response.status !== received.status) {
    return [`status: expected ${response.status}, got ${received.status} ${brief(received.text, 200)}`];
  }
  const headers = checkHeaders(step, received, deviation?.headers);
  return step.compareBody === false ? headers : [...headers, ...checkBody(step, received, comparison)];
};

const checkHeaders = (
  { response, compareHeaders = [] }: Step,
  received: Received,
  ignored: readonly string[] = [],
): string[] =>
  [...HEADERS, ...compareHeaders].flatMap((name) => {
    if (ignored.includes(name)) return [];
    const expected = normalHeader(name, response.headers[name]);
    const actual = normalHeader(name, received.headers[name]);
    const empty = received.text === "" && response.body === undefined && response.text === undefined;
    if (expected === actual || (name === "content-type" && empty)) return [];
    return [`header ${name}: expected ${brief(expected)}, got ${brief(actual)}`];
  });

const checkBody = ({ response, unordered = false }: Step, received: Received, comparison: Comparison): string[] => {
  if (response.body !== undefined) {
    if (received.json === undefined) return [`body: expected JSON, got ${brief(received.text)}`];
    return comparison.differences(response.body, received.json, { unordered });
  }
  const expected = response.text ?? "";
  if (expected === received.text) return [];
  const difference =
    expected === "" ? `expected an empty body, got ${brief(received.text)}` : comparison.text(expected, received.text);
  return difference === null ? [] : [`body: ${difference}`];
};
