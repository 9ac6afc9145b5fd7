/** What the log says of values that code has thrown. */
import { expect, test } from "vitest";
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
