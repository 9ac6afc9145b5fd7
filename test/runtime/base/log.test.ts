/** What the log says of values that code has thrown. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readable } from "../../../generator/commands/dev/readable-log.ts";
import { createLogger } from "../../../runtime/base/log.ts";
import { SOON } from "../../support/soon.ts";

const plain = { red: String, yellow: String, green: String, dim: String };

const logged = (thrown: unknown): { readonly json: string; readonly text: string } => {
  let json = "";
  let text = "";
  createLogger({ level: "info" }, { write: (line) => void (json = line) }).error({ err: thrown }, "failed");
  readable({ write: (part) => (text += String(part)) !== "" }, plain).write(json);
  return { json, text };
};

test.each([
  ["a text", "string", "a text"],
  [null, "object", "null"],
  [undefined, "undefined", "undefined"],
  [
    { status: 4, of: { user: "Ida" }, password: "hidden" },
    "object",
    "{ status: 4, of: [Object], password: '[Redacted]' }",
  ],
  [[1, "two"], "object", "[ 1, 'two' ]"],
  [404, "number", "404"],
])("what is no error is logged as it was thrown: %j", (thrown, type, message) => {
  const { json, text } = logged(thrown);
  expect(JSON.parse(json)).toMatchObject({ msg: "failed", err: { type, message } });
  expect(text).toBe(`┌─ failed\n│ ${message}\n└─\n`);
});

test("getters of what was thrown are not called", () => {
  const thrown = Object.defineProperty({}, "bad", { get: () => expect.fail("called"), enumerable: true });
  expect(JSON.parse(logged(thrown).json)).toMatchObject({ err: { message: "{ bad: undefined }" } });
});

test("the cause of an error is told, whatever it is", () => {
  expect(logged(new Error("outer", { cause: new Error("inner") })).text).toContain("│ caused by: Error: inner\n");
  const { json, text } = logged(new Error("outer", { cause: "a text" }));
  expect(JSON.parse(json)).toMatchObject({ err: { message: "outer", cause: { type: "string", message: "a text" } } });
  expect(text).toContain("caused by: a text\n");
});

/** A process that logs `messages` to its standard output (a file, or a pipe by default), and then runs `end`. */
const processThatLogs = (messages: readonly string[], end: string, output: number | "pipe" = "pipe") => {
  const source = `import { createLogger } from ${JSON.stringify(path.resolve("runtime/base/log.ts"))};
    const log = createLogger({ level: "info" });
    for (const message of ${JSON.stringify(messages)}) log.info(message);
    ${end}`;
  const file = path.join(mkdtempSync(path.join(tmpdir(), "galley-log-")), "main.ts");
  writeFileSync(file, source);
  const child = spawn(process.execPath, [path.resolve("node_modules/jiti/lib/jiti-cli.mjs"), file], {
    stdio: ["pipe", output, "pipe"],
  });
  onTestFinished(() => void child.kill());
  return child;
};

test.each([
  ["ends", "process.exit(3)"],
  ["fails", "throw new Error('broken')"],
])("lines of requests that wait are written when the process %s", async (_, end) => {
  const child = processThatLogs(["request", "request"], end);
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(child, "close");
  expect(text.match(/"msg":"request"/g)).toHaveLength(2);
});

test("lines of requests wait for others, and not for ever; other lines do not wait", async () => {
  const child = processThatLogs(["listening", "request", "request"], "setInterval(() => {}, 1000)");
  const output = child.stdout?.setEncoding("utf8") ?? expect.fail("no output");
  const [first] = await once(output, "data");
  expect(first).toContain("listening");
  expect(first).not.toContain("request");
  const [second] = await once(output, "data");
  expect(second).toMatch(/^.+"msg":"request"\}\n.+"msg":"request"\}\n$/);
});

/** Logs when it is asked to, and ends. */
const ONE_MORE = `process.stdin.once("data", () => {
  log.info("request");
  log.error("one more");
  process.exit(4);
});`;

test("a process goes on when nobody reads its log any more", async () => {
  const child = processThatLogs(["listening"], ONE_MORE);
  await once(child.stdout ?? expect.fail("no output"), "data");
  child.stdout?.destroy();
  child.stdin?.write("go on\n");
  expect(await once(child, "close")).toEqual([4, null]);
});

test.runIf(process.platform === "linux")("a process goes on when the disk of its log is full", async () => {
  const full = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(full));
  const child = processThatLogs(["listening", "request"], ONE_MORE, full);
  child.stdin?.write("go on\n");
  expect(await once(child, "close")).toEqual([4, null]);
});

test("a process goes on while its log is not read, and says how many lines are lost by that", async () => {
  const child = processThatLogs(
    [],
    `process.stdout.once("error", () => {});
    for (let line = 0; line < 30000; line += 1) log.warn("x".repeat(100));
    console.error("logged");
    process.stdin.once("data", () => process.exit(4));`,
  );
  await once(child.stderr ?? expect.fail("no output"), "data");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => (text += part));
  await vi.waitFor(() => expect(text).toContain("lines of the log are lost"), SOON);
  child.stdin?.write("end\n");
  expect(await once(child, "close")).toEqual([4, null]);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { lines: lost } = lines.find(({ msg }) => msg === "lines of the log are lost");
  expect(lines.filter(({ msg }) => msg.startsWith("x")).length + lost).toBe(30_000);
});
