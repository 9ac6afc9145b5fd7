/** The schemas that Zod does not have, as generated files and front ends use them. */
import { expect, test } from "vitest";
import { z } from "zod";
import { checkData } from "../../../runtime/schema/validation/check.ts";
import {
  biginteger,
  blocks,
  conditional,
  date,
  decimal,
  email,
  fileId,
  fileIds,
  json,
  password,
  pattern,
  slug,
  toAny,
  toMany,
  toOne,
  when,
} from "../../../runtime/schema/validators.ts";

/** A schema; values that it takes; and values that it refuses. */
type Case = readonly [name: string, schema: z.ZodType, good: readonly unknown[], bad: readonly unknown[]];

const cases: readonly Case[] = [
  ["a slug", slug().max(5), ["a-b_."], ["a b", "abcdef", 1]],
  ["an address", email().max(9), ["a@b.co"], ["ab", "", "a@bcdefg.co"]],
  ["a password", password().min(3), ["abc"], ["ab", "é".repeat(37)]],
  ["a decimal", decimal().min(0).max(99.5), [0], [-1, 100, -1e8]],
  ["a big whole number", biginteger({ min: 1 }), ["1", "9223372036854775807"], ["0", "9223372036854775808", "x", 1]],
  ["a day", date(), ["2024-05-01"], ["tomorrow", "2023-02-29", 1]],
  ["JSON", json(), [0, "", []], [null, undefined]],
  ["rich text", blocks(), [[]], [[{ type: "nothing" }], "text"]],
  ["a file", fileId(), [1, "1", "abc", { id: 1 }, { set: [1] }], [0.5, { file: 1 }, true, null, undefined, "1a"]],
  ["files", fileIds({ min: 2 }), [[1, 2], { connect: [3] }], [[1], [], { set: [1] }, [["a"]], null]],
  ["a relation", toOne(), ["abc", { documentId: "abc" }], [{ name: "abc" }, false, null]],
  ["relations", toMany(), [[], ["abc"], { disconnect: ["abc"] }], [[{}], null]],
  ["a relation to anything", toAny(), [{ __type: "api::a.a", id: 1 }], [1, { id: 1 }]],
];

test.each(cases)("%s", (_, schema, good, bad) => {
  for (const value of good) expect([value, schema.safeParse(value).success]).toEqual([value, true]);
  for (const value of bad) expect([value, schema.safeParse(value).success]).toEqual([value, false]);
});

const kind = z.enum(["text", "video"]);
const url = z.string().max(5).startsWith("a", { error: "Begin with a" });
const video = conditional(z.object({ kind, url: when({ "==": [{ var: "kind" }, "video"] }, url) }));

const faultsOf = (schema: z.ZodObject, data: Readonly<Record<string, unknown>>, hasLong = false): readonly string[] =>
  checkData(schema, data, { original: () => undefined, isNew: true, hasLong, isIgnored: () => false }).map(
    ({ message }) => message,
  );

test("what depends on another attribute is checked while the condition holds, whatever else is wrong", () => {
  expect(faultsOf(video, { kind: "text", url: 5 })).toEqual([]);
  expect(faultsOf(video, { kind: "video", url: "a" })).toEqual([]);
  expect(faultsOf(video, { kind: "video" })).toEqual(["url must be defined."]);
  expect(faultsOf(video.extend({ title: z.string() }), { kind: "video", url: "bcdefg" })).toEqual([
    "title must be defined.",
    "url must be at most 5 characters",
    "Begin with a",
  ]);
});

test("rules of Zod's own have messages that name the attribute", () => {
  const schema = z.object({
    site: z.url(),
    code: z.string().startsWith("x-").includes("y").endsWith("z"),
    size: z.number().multipleOf(5),
    list: z.union([z.array(z.string().max(1)), z.literal("")]),
    own: z.string().refine(() => false),
  });
  expect(faultsOf(schema, { site: "here", code: "a", size: 3, list: ["ab"], own: "a" })).toEqual([
    "site must be a valid url",
    'code must start with "x-"',
    'code must contain "y"',
    'code must end with "z"',
    "size must be a multiple of 5",
    "list[0] must be at most 1 characters",
    "own is invalid",
  ]);
});

test.each([
  ["a pattern of a schema file", pattern(String.raw`\s+$`), false],
  ["a pattern of application code", /\s+$/, true],
])("a check that would take minutes by %s is given up", (_, regex, hasLong) => {
  const schema = z.object({ value: z.string().regex(regex) });
  const spaces = " ".repeat(1_000_000);
  expect(() => faultsOf(schema, { value: `${spaces}x` }, hasLong)).toThrow("take too long to check");
  expect(faultsOf(schema, { value: spaces }, hasLong)).toEqual([]);
  expect(faultsOf(schema, { value: "x" }, hasLong)).toEqual(['value must match the following: "/\\s+$/"']);
});

test("many texts of one body have the time of one", () => {
  const schema = z.object({ values: z.array(z.string().regex(pattern(String.raw`\s+$`))) });
  const text = `${" ".repeat(5000)}x`;
  expect(faultsOf(schema, { values: [text] })).toHaveLength(1);
  expect(() => faultsOf(schema, { values: Array.from({ length: 2000 }, () => text) })).toThrow(
    "take too long to check",
  );
  expect(faultsOf(schema, { values: [text] })).toHaveLength(1);
});

test("the fault of a union is that of its first option, at its place", () => {
  const schema = z.object({ value: z.string().regex(/^a$/).or(z.literal("")).nullish() });
  expect(faultsOf(schema, { value: "" })).toEqual([]);
  expect(faultsOf(schema, { value: "b" })).toEqual(['value must match the following: "/^a$/"']);
  expect(faultsOf(schema, { value: 5 })[0]).toContain("value must be a `string` type");
});
