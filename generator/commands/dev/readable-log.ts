/** Formats log lines for people. */
import { z } from "zod";

type Paint = (text: string) => string;
type Paints = Readonly<Record<"red" | "yellow" | "green" | "dim", Paint>>;

/** Control characters must not reach a terminal; line ends and tabs may. */
const printable = (text: string): string => text.replaceAll(/(?![\t\n])\p{Cc}/gu, "\u{FFFD}");

/** Indents a text below its heading, with a line to its left. */
export const frame = (title: string, text: string, paint: Paint): string =>
  [
    `${paint("┌─")} ${paint(printable(title))}`,
    ...text.split("\n").map((line) => `${paint("│")} ${line}`),
    `${paint("└─")}\n`,
  ].join("\n");

const errorSchema = z.object({ message: z.string(), stack: z.string().optional(), cause: z.unknown().optional() });

const recordSchema = z.looseObject({
  level: z.number(),
  msg: z.string().default(""),
  err: errorSchema.optional(),
});

const WARN = 40;
const ERROR = 50;

/** A record's other fields, as `key=value`. */
const detailsOf = (record: Readonly<Record<string, unknown>>): string =>
  Object.entries(record)
    .filter(([key]) => !["level", "time", "msg", "err"].includes(key))
    .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");

/** Strips frames from outside the project off a stack trace, unless that leaves none. */
export const ownFrames = (stack: string): string => {
  const lines = stack.split("\n");
  const own = lines.filter((line) => !/^\s+at .*(?:node_modules|\bnode:)/.test(line));
  return (own.some((line) => /^\s+at /.test(line)) ? own : lines).join("\n");
};

/** An error's stack, and those of its causes. */
const stacksOf = ({ message, stack = message, cause }: z.infer<typeof errorSchema>): readonly string[] => {
  const known = errorSchema.safeParse(cause);
  return [ownFrames(stack), ...(known.success ? stacksOf(known.data) : [])];
};

const requestSchema = z.object({
  msg: z.literal("request"),
  method: z.string(),
  route: z.string().optional(),
  path: z.string().default(""),
  status: z.number(),
  milliseconds: z.number(),
  statements: z.number(),
  cache: z.string().optional(),
});

/** The line for a handled request. */
const requestText = (request: z.infer<typeof requestSchema>, paints: Paints): string => {
  const { method, path, route = path, status, milliseconds, statements, cache } = request;
  const paint = status >= 500 ? paints.red : status >= 400 ? paints.yellow : paints.green;
  const work = cache === undefined ? `${statements} statement${statements === 1 ? "" : "s"}` : `cache ${cache}`;
  return `${method.padEnd(6)} ${printable(route)} ${paint(String(status))} ${paints.dim(`${Math.round(milliseconds)} ms, ${work}`)}\n`;
};

/** A log line for people; returns lines that are not ours unchanged. */
const toText = (line: string, paints: Paints): string => {
  const parsed = recordSchema.safeParse(JSON.parse(line));
  if (!parsed.success) return line;
  const { level, msg, err } = parsed.data;
  const request = requestSchema.safeParse(parsed.data);
  if (request.success) return requestText(request.data, paints);
  const title = `${msg}${detailsOf(parsed.data)}`;
  const paint = level >= ERROR ? paints.red : level >= WARN ? paints.yellow : paints.dim;
  if (err === undefined) return `${paint(printable(title))}\n`;
  return frame(title, printable(stacksOf(err).join("\ncaused by: ")), paint);
};

/** Reads log lines and writes them to `stream` for people. */
export const readable = (stream: Pick<NodeJS.WriteStream, "write">, paints: Paints) => ({
  write: (line: string): void => void stream.write(toText(line, paints)),
});
