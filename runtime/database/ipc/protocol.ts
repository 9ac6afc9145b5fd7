/**
 * How a command reaches the process that has the embedded database open: JSON, one message per line, over a Unix
 * socket. Both sides send a greeting. Then the command sends requests, which are answered in order. Each transaction
 * and each listener has its own connection, and ends with it.
 */
import type { Socket } from "node:net";
import { z } from "zod";
import { ServiceUnavailableError } from "../../base/errors.ts";
import { messageOf } from "../../base/thrown.ts";
import type { Row } from "../database.ts";
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

export const requestSchema = z.union([
  /** A statement with its parameters, as PostgreSQL takes them, or a script without any. */
  z.strictObject({ sql: z.string(), parameters: z.array(z.string().nullable()).optional() }),
  z.strictObject({ begin: z.enum(["transaction", "exclusively"]) }),
  z.strictObject({ end: z.enum(["commit", "rollback"]) }),
  z.strictObject({ listen: z.string() }),
]);
export type Request = z.infer<typeof requestSchema>;

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

/** JSON has no non-finite numbers: they are encoded as objects. */
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.object({ number: z.string() })]);

export const answerSchema = z.union([
  z.strictObject({ rows: z.array(z.array(value)) }),
  z.strictObject({ failure: failureSchema }),
  z.strictObject({ notification: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;

export const packRow = (row: Row): z.infer<typeof value>[] =>
  row.map((each) => (typeof each === "number" && !Number.isFinite(each) ? { number: String(each) } : each));

export const unpackRow = (row: readonly z.infer<typeof value>[]): Row =>
  row.map((each) => (typeof each === "object" && each !== null ? Number(each.number) : each));

export const packError = (error: unknown): Answer => {
  const fault = faultOf(error);
  const cause = error instanceof ServiceUnavailableError && error.cause !== undefined ? error.cause : error;
  return { failure: { message: messageOf(cause), ...(fault ? { fault } : {}) } };
};

/** The error as the driver would have thrown it in this process. */
export const unpackError = ({ message, fault }: z.infer<typeof failureSchema>): unknown =>
  translate(Object.assign(new Error(message), fault ? { ...fault, severity: "ERROR" } : {}));

/** The lines received over a socket, until one side ends the connection. */
export async function* linesOf(socket: Socket): AsyncGenerator<string, void> {
  let begun = "";
  try {
    for await (const text of socket.setEncoding("utf8")) {
      const [first = "", ...others] = String(text).split("\n");
      begun += first;
      for (const next of others) {
        yield begun;
        begun = next;
      }
    }
  } catch {
    // A broken connection has ended as well.
  }
}

export const sendLine = (socket: Socket, message: Greeting | Request | Answer): void => {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
};
