/** What the server asks of drafts and updates, derived from what generated schemas ask of published documents. */
import { expect, test } from "vitest";
import { z } from "zod";
import { checkData } from "../../../runtime/schema/validation/check.ts";
import { bodySchema, draftOf } from "../../../runtime/schema/validation/derive.ts";
import type { Mode, Rules } from "../../../runtime/schema/validation/mode.ts";
import {
  biginteger,
  blocks,
  conditional,
  date,
  decimal,
  email,
  entryFields,
  fileId,
  fileIds,
  json,
  password,
  slug,
  toAny,
  toMany,
  toManyOfAny,
  toOne,
  when,
} from "../../../runtime/schema/validators.ts";

const seo = z.object({ ...entryFields, title: z.string().min(3).max(60) });
const quote = z.object({ ...entryFields, text: z.string() }).extend({ __component: z.literal("blocks.quote") });
const zone = z.array(z.discriminatedUnion("__component", [quote]));
const none = undefined;

/** A schema; values that are good once published and as a draft; as a draft only; and never. */
type Case = readonly [name: string, schema: z.ZodType, good: readonly unknown[], drafts: unknown[], bad: unknown[]];

const cases: readonly Case[] = [
  ["a text", z.string().min(2).max(4), ["ab", "abcd"], [none, null, "", "a"], ["abcde", 1, "a\0b"]],
  ["a text that may lack", z.string().max(4).nullish(), ["", none, null], [], ["abcde"]],
  ["a pattern", z.string().regex(/^a$/), ["a"], ["", "b", null], [1]],
  ["a pattern or nothing", z.string().regex(/^a$/).or(z.literal("")).nullish(), ["a", "", null], ["b"], [1]],
  ["a slug", slug().max(5), ["a-b_.~"[0]], ["a b"], ["abcdef"]],
  ["an address", email().max(9), ["a@b.co"], ["ab", ""], ["a@bcdefg.co"]],
  ["a password", password().min(3), ["abc"], ["ab"], ["é".repeat(37)]],
  ["a whole number", z.int32().min(1).max(5), [1, 5], [0, -5, null], [6, 1.5, -(2 ** 31) - 1, "1"]],
  ["a number", z.number().min(-0.5), [0], [-1], [Number.NaN, Number.MAX_VALUE]],
  ["a decimal", decimal().min(0).max(99.5), [0], [-1], [100, -1e8]],
  ["a big whole number", biginteger({ min: 1 }), ["1", "9223372036854775807"], ["0"], ["9223372036854775808", "x", 1]],
  ["a truth value", z.boolean(), [true], [none, null], ["true"]],
  ["a truth value with a default", z.boolean().nullish().default(false), [true, null], [], ["true"]],
  ["one of several", z.enum(["a", "b"]), ["a"], [none, null], ["c"]],
  ["a day", date(), ["2024-05-01"], [none, null], []],
  ["JSON", json(), [0, "", []], [none, null], ["\0"]],
  ["rich text", blocks(), [[]], [none, null], [[{ type: "nothing" }], "text"]],
  ["a file", fileId({ types: ["images"] }), [1], [none, null], []],
  ["files", fileIds({ min: 1 }), [[1]], [none, []], []],
  ["a relation", toOne("api::a.a"), ["a"], [none, null], []],
  ["relations", toMany("api::a.a", { min: 1 }), [["a"]], [none, []], []],
  ["a relation to anything", toAny(), [{ __type: "api::a.a", id: 1 }], [none, null], []],
  ["relations to anything", toManyOfAny().optional(), [none, []], [], []],
  ["a component", seo, [{ id: 1, title: "abc" }], [none, null, {}, { title: "a" }], [{ title: 1 }, "seo", []]],
  ["a component that may lack", seo.nullish(), [none, null], [{}], [{ title: 1 }]],
  [
    "a list",
    z.array(seo).min(1).max(2),
    [[{ title: "abc" }]],
    [[], [{}, {}, {}], none],
    [null, [null], [{ title: 1 }]],
  ],
  ["a list that may lack", z.array(seo).min(2).or(z.tuple([])).optional(), [none, []], [[{ title: "abc" }]], [null]],
  [
    "a zone",
    zone,
    [[{ __component: "blocks.quote", text: "a" }]],
    [[{ __component: "blocks.quote" }]],
    [[{ text: "a" }]],
  ],
  ["an empty zone", z.array(z.never()).optional(), [none, []], [], [[{}]]],
  ["what bodies may not write", z.int32().readonly().nullish(), [1, null], [], [1.5]],
  ["what depends on another", when(true, z.string().max(2)), ["ab"], [none, null], ["abc"]],
];

const rules = (mode: Mode): Rules => ({ mode, strictRelations: true });

const accepts = (schema: z.ZodType, mode: Mode, value: unknown): boolean =>
  bodySchema(z.object({ value: schema }), rules(mode)).safeParse(value === undefined ? {} : { value }).success;

test.each(cases)("%s: a draft may lack it and be too short, and fits its column", (_, schema, good, drafts, bad) => {
  for (const value of good) {
    expect([value, accepts(schema, "create", value)]).toEqual([value, true]);
    expect([value, accepts(schema, "draft", value)]).toEqual([value, true]);
  }
  for (const value of drafts) {
    expect([value, accepts(schema, "create", value)]).toEqual([value, false]);
    expect([value, accepts(schema, "draft", value)]).toEqual([value, true]);
  }
  for (const value of bad) {
    expect([value, accepts(schema, "create", value)]).toEqual([value, false]);
    expect([value, accepts(schema, "draft", value)]).toEqual([value, false]);
  }
});

test.each(cases)(
  "%s: an update may leave it out, and asks of it what a published document has",
  (_, schema, ...lists) => {
    const [good, drafts, bad] = lists;
    expect(accepts(schema, "update", undefined)).toBe(true);
    for (const value of good) expect([value, accepts(schema, "update", value)]).toEqual([value, true]);
    for (const value of [...drafts, ...bad].filter((one) => one !== undefined)) {
      // What entries of components lack stays as it is, too.
      if (JSON.stringify(value)?.includes("{}") || JSON.stringify(value) === '[{"__component":"blocks.quote"}]')
        continue;
      expect([value, accepts(schema, "update", value)]).toEqual([value, false]);
    }
  },
);

test.each(cases)("%s: what is asked of it does not depend on how often that was asked", (_, member, ...lists) => {
  const schema = z.object({ value: member });
  const faults = (mode: Mode, value: unknown) => {
    const data = value === undefined ? {} : { value, other: 1 };
    return checkData(schema, data, { ...rules(mode), sent: data, unchecked: [] });
  };
  for (const mode of ["create", "newDraft", "draft", "update"] as const) {
    const all = [undefined, null, "a", 1, [], {}, ...lists.flat()];
    const first = all.map((value) => faults(mode, value));
    for (let time = 0; time < 200; time += 1) faults(mode, lists[0][0]);
    expect([mode, all.map((value) => faults(mode, value))]).toEqual([mode, first]);
  }
});

const faultsOf = (schema: z.ZodType, value: string): readonly string[] =>
  checkData(z.object({ value: schema }), { value }, { ...rules("create"), sent: { value }, unchecked: [] }).map(
    ({ message }) => message,
  );

test("a pattern that would take minutes is given up, and counts as not met", () => {
  const spaces = " ".repeat(1_000_000);
  expect(faultsOf(z.string().regex(/\s+$/), `${spaces}x`)).toEqual(['value must match the following: "/\\s+$/"']);
  expect(faultsOf(z.string().regex(/\s+$/), spaces)).toEqual([]);
});

test("a pattern is not tried on what is too long in any case", () => {
  const pattern = Object.assign(/^a+$/, {
    test: () => {
      throw new Error("tried");
    },
  });
  expect(faultsOf(z.string().max(300).regex(pattern), "b".repeat(400))).toEqual([
    "value must be at most 300 characters",
  ]);
});

test("a list that is required has to be there when a draft is made, and may be empty", () => {
  expect(accepts(z.array(seo).min(1), "newDraft", undefined)).toBe(false);
  expect(accepts(z.array(seo).min(1), "newDraft", [])).toBe(true);
  expect(accepts(z.array(seo).optional(), "newDraft", undefined)).toBe(true);
});

const nested = (label: string) => ({ links: [{ menu: { links: [{ label }] } }] });

test("a component may hold itself through others", () => {
  const menu = z.object({
    label: z.string(),
    get links(): z.ZodOptional<z.ZodArray<z.ZodObject>> {
      return z.optional(z.array(link));
    },
  });
  const link = z.object({ label: z.string().max(3), menu: menu.nullish() });
  const draft = draftOf(menu);
  expect(draft.safeParse(nested("abc")).success).toBe(true);
  expect(draft.safeParse(nested("abcd")).success).toBe(false);
  expect(bodySchema(menu, rules("create")).safeParse({ label: "a", ...nested("abc") }).success).toBe(false);
});

test("what a schema derives is made once", () => {
  expect(bodySchema(seo, rules("draft"))).toBe(bodySchema(seo, rules("draft")));
  expect(bodySchema(seo, rules("draft"))).not.toBe(bodySchema(seo, rules("create")));
});

test("a schema asks for what depends on another attribute while the condition holds", () => {
  const video = conditional(
    z.object({ kind: z.string(), url: when({ "==": [{ var: "kind" }, "video"] }, z.string().max(5)) }),
  );
  expect(video.safeParse({ kind: "text" }).success).toBe(true);
  expect(video.safeParse({ kind: "video", url: "a" }).success).toBe(true);
  expect(video.safeParse({ kind: "video" }).error?.issues[0]?.path).toEqual(["url"]);
});

test.each([
  ["a file", fileId(), [1, "abc", { id: 1 }, { set: [1] }], ["not a file", 0, 1.5, { file: 1 }, [1], true]],
  [
    "files",
    fileIds(),
    [[1, "abc"], { connect: [{ id: 1, position: { before: 2 } }] }],
    ["a b", [["a"]], ["not a file"]],
  ],
  ["a relation", toOne("api::a.a"), ["abc", { documentId: "abc" }], ["not a document", { name: "abc" }, { set: 1 }]],
  ["a relation to anything", toAny(), [{ __type: "api::a.a", id: 1 }], [1, { id: 1 }, { __type: "a", id: 1 }]],
])("%s: what names none is refused", (_, schema: z.ZodType, good: unknown[], bad: unknown[]) => {
  for (const value of good) expect([value, schema.safeParse(value).success]).toEqual([value, true]);
  for (const value of bad) expect([value, schema.safeParse(value).success]).toEqual([value, false]);
});
