/**
 * The recordings of the entity format of GraphQL. They come from an older service than the others: its ids are numbers,
 * one to a table row, and its errors tell less than ours.
 */
import { checkStep } from "./check-step.ts";
import { Comparison } from "./compare.ts";
import type { Deviation, Scenario, Step } from "./scenario.ts";
import type { Received } from "./session.ts";

/** The millions of a recorded id name its table; the ids stand alone or in a message. */
const RECORDED_ID = /(?<![A-Za-z0-9])(?:[1-9]|1\d|2[0-5])\d{6}(?![A-Za-z0-9])/g;
const WHOLE_ID = new RegExp(`^${RECORDED_ID.source}$`);

/** Articles, homepages and notes have rows of their own in every locale, and with us one id in all of them. */
const LOCALIZED = /^recorded0*[168]\d{6}$/;

interface GraphqlError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number }[];
  readonly path?: unknown;
  readonly extensions?: { readonly code?: string; readonly error?: Readonly<Record<string, unknown>> };
}
interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
}

const isAnswer = (body: unknown): body is Answer =>
  typeof body === "object" && body !== null && (!("errors" in body) || Array.isArray(body.errors));

const errorsOf = (body: unknown): readonly GraphqlError[] => (isAnswer(body) ? (body.errors ?? []) : []);

/** Gives recorded ids the form of ours, so that they are matched one to one. */
const withOpaqueIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (key, value: unknown) => {
    if (typeof value !== "string") return value;
    return WHOLE_ID.test(value) || key === "message"
      ? value.replaceAll(RECORDED_ID, (id) => `recorded${id.padStart(16, "0")}`)
      : value;
  });

/** What both services tell of an error: the words that the library adds, and columns behind ids, are not compared. */
const common = ({ message, locations, extensions: { code, error } = {} }: GraphqlError, told: GraphqlError) => ({
  message: message.replace(/ Did you mean .*$/s, "").replace(/^Invalid parameter /, "Invalid key "),
  code,
  name: error?.["name"],
  ...(told.extensions?.error?.["details"] === undefined ? {} : { details: error?.["details"] }),
  ...(told.locations === undefined ? {} : { lines: locations?.map(({ line }) => line) }),
});

const byMessage = (errors: readonly GraphqlError[]): readonly GraphqlError[] =>
  errors.toSorted((one, other) => (one.message < other.message ? -1 : 1));

/** A body with as much of its errors as was told in the recording. */
const comparable = (body: unknown, recorded: unknown): unknown => {
  if (!isAnswer(body) || body.errors === undefined) return body;
  const told = byMessage(errorsOf(recorded));
  return { ...body, errors: byMessage(body.errors).map((error, index) => common(error, told[index] ?? error)) };
};

/** A resolver of the recorded service threw what it had no words for. */
const crashed = (body: unknown): boolean =>
  errorsOf(body).some(({ extensions }) => extensions?.code === "INTERNAL_SERVER_ERROR");

const isOurCrash = (body: unknown): boolean =>
  errorsOf(body).some(({ message }) => message === "Internal Server Error");

export const entityComparison = ({ recordedAt }: Scenario, run: string): Comparison =>
  new Comparison(recordedAt, run, (id) => LOCALIZED.test(id));

/** What is different from the recorded answer, as sentences. */
export const checkEntityStep = (
  step: Step,
  received: Received,
  comparison: Comparison,
  deviation: Deviation | undefined,
): string[] => {
  if (crashed(step.response.body)) return isOurCrash(received.json) ? [`a crash: ${received.text}`] : [];
  const recorded = withOpaqueIds(step.response.body);
  return checkStep(
    step.response.body === undefined
      ? step
      : { ...step, response: { ...step.response, body: comparable(recorded, recorded) } },
    { ...received, json: comparable(received.json, recorded) },
    comparison,
    deviation,
  );
};
