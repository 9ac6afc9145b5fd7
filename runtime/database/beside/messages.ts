/** The protocol between a command and the process that has the database open: JSON, one message per line. */
import type { Socket } from "node:net";
import { z } from "zod";
import { ServiceUnavailableError } from "../../base/errors.ts";
import { messageOf } from "../../base/thrown.ts";
import type { Row, Value } from "../database.ts";
import { faultOf, translate } from "../fault.ts";

/** The first line that each side sends. */
export const greetingSchema = z.object({
  /** The version of galley-cms. */
  version: z.string(),
  /** The command that the process runs, such as `cms dev`. */
  command: z.string(),
  pid: z.number(),
});
export type Greeting = z.infer<typeof greetingSchema>;

/** Numbers that JSON cannot represent. */
const notFinite = z.object({ number: z.enum(["NaN", "Infinity", "-Infinity"]) });

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const parameter = z.union([value, z.array(value).readonly()]);

/** The session that a request belongs to: 0 is the database itself, others are sessions that the command has begun. */
const on = z.number();

const work = z.discriminatedUnion("do", [
  z.object({ do: z.literal("rows"), on, sql: z.string(), parameters: z.array(parameter).readonly() }),
  z.object({ do: z.literal("script"), on, sql: z.string() }),
  z.object({ do: z.literal("begin"), on, session: z.number(), as: z.enum(["transaction", "exclusively"]) }),
  z.object({ do: z.literal("end"), session: z.number(), keep: z.boolean() }),
  z.object({ do: z.literal("listen"), channel: z.string(), listener: z.number() }),
  z.object({ do: z.literal("ignore"), listener: z.number() }),
]);
export type Work = z.infer<typeof work>;

export const requestSchema = z.object({ id: z.number(), work });

const failureSchema = z.object({
  message: z.string(),
  /** The error of PostgreSQL, if it refused the statement. */
  fault: z
    .object({
      code: z.string(),
      constraint: z.string().optional(),
      table: z.string().optional(),
      column: z.string().optional(),
      detail: z.string().optional(),
    })
    .optional(),
});
type Failure = z.infer<typeof failureSchema>;

export const answerSchema = z.union([
  z.object({
    id: z.number(),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null(), notFinite]))),
  }),
  z.object({ id: z.number(), failure: failureSchema }),
  z.object({ listener: z.number(), payload: z.string().optional() }),
]);
export type Answer = z.infer<typeof answerSchema>;
type SentRow = readonly (Value | z.infer<typeof notFinite>)[];

const nameOf = (number: number): "NaN" | "Infinity" | "-Infinity" => {
  if (Number.isNaN(number)) return "NaN";
  return number > 0 ? "Infinity" : "-Infinity";
};

export const packRow = (row: Row): (Value | z.infer<typeof notFinite>)[] =>
  row.map((value) => (typeof value === "number" && !Number.isFinite(value) ? { number: nameOf(value) } : value));

export const unpackRow = (row: SentRow): Row =>
  row.map((value) => (typeof value === "object" && value !== null ? Number(value.number) : value));

export const packError = (error: unknown): Failure => {
  const fault = faultOf(error);
  const said = error instanceof ServiceUnavailableError && error.cause !== undefined ? error.cause : error;
  return { message: messageOf(said), ...(fault ? { fault } : {}) };
};

/** The error as the driver would have thrown it in this process. */
export const unpackError = ({ message, fault }: Failure): unknown =>
  translate(Object.assign(new Error(message), fault ? { ...fault, severity: "ERROR" } : {}));

/** Calls `receive` with each line, in order. */
export const onLine = (socket: Socket, receive: (line: string) => void): void => {
  let begun = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...others] = text.split("\n");
    begun += first;
    for (const next of others) {
      receive(begun);
      begun = next;
    }
  });
};

export const sendLine = (socket: Socket, message: object): void => {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
};
