/** The client's query strings are those of `qs`, and mean to the server what was asked. */
import * as fc from "fast-check";
import { stringify } from "qs";
import { expect, test } from "vitest";
import { queryString } from "../../../runtime/client/query-string.ts";
import { parseQuery } from "../../../runtime/query/index.ts";
import { RUNS } from "../../support/thorough.ts";

const ofQs = (query: object): string => stringify(query, { strictNullHandling: true });

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a b&c=d", "[$eq]", "año", "it's (1*2)!", "%5B", "+"),
);
const leaf = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constantFrom(null, undefined),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test("any query is written as qs writes it", () => {
  fc.assert(
    fc.property(fc.dictionary(text, value, { maxKeys: 4, noNullPrototype: true }), (query) => {
      expect(queryString(query)).toBe(ofQs(query));
    }),
    { numRuns: RUNS.queryStrings },
  );
});

test("half of a surrogate pair becomes what URLs have in its place", () => {
  expect(queryString({ _q: "a\uD800b" })).toBe("_q=a%EF%BF%BDb");
});

test("the server reads what was asked", () => {
  const query = {
    filters: { excerpt: null, title: { $in: ["a,b", "ä&ö", ""] }, año: { $eq: "1" }, constructor: "x" },
    sort: ["title:desc"],
    populate: { author: { fields: ["name"] } },
  };
  expect(parseQuery(queryString(query))).toEqual(query);
});
