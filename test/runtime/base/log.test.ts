/** What the log says of values that code has thrown. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readable } from "../../../generator/commands/dev/readable-log.ts";
import { createLogger } from "../../../runtime/base/log.ts";

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

/** A process that logs `messages` to its standard output, and then runs `end`. */
const processThatLogs = (messages: readonly string[], end: string) => {
  const source = `import { createLogger } from ${JSON.stringify(path.resolve("runtime/base/log.ts"))};
    const log = createLogger({ level: "info" });
    for (const message of ${JSON.stringify(messages)}) log.info(message);
    ${end}`;
  const file = path.join(mkdtempSync(path.join(tmpdir(), "galley-log-")), "main.ts");
  writeFileSync(file, source);
  const child = spawn(process.execPath, [path.resolve("node_modules/jiti/lib/jiti-cli.mjs"), file]);
  onTestFinished(() => void child.kill());
  return child;
};

test.each([
  ["ends", "process.exit(3)"],
  ["fails", "throw new Error('broken')"],
])("lines of requests that wait are written when the process %s", async (_, end) => {
  const child = processThatLogs(["request", "request"], end);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await once(child, "close");
  expect(text.match(/"msg":"request"/g)).toHaveLength(2);
});

test("lines of requests wait for others, and not for ever; other lines do not wait", async () => {
  const child = processThatLogs(["listening", "request", "request"], "setInterval(() => {}, 1000)");
  const [first] = await once(child.stdout.setEncoding("utf8"), "data");
  expect(first).toContain("listening");
  expect(first).not.toContain("request");
  const [second] = await once(child.stdout, "data");
  expect(second).toMatch(/^.+"msg":"request"\}\n.+"msg":"request"\}\n$/);
});
