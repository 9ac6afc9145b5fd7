import { expect, test } from "vitest";
import { emptyDatabase } from "../../support/services.ts";
import { serve } from "./world.ts";

const flat = { format: "flat" } as const;

test("an operation deeper than the limit is refused before it runs", async () => {
  const { query } = await serve({ graphql: { ...flat, depthLimit: 2 } });
  expect(await query("query Deep { articles { author { boss { name } } } }")).toMatchObject({
    status: 400,
    body: { errors: [{ message: "'Deep' exceeds maximum operation depth of 2" }] },
  });
  expect(await query("{ articles { author { name } } }")).toMatchObject({ status: 200 });
});

test("fragments count where they are spread", async () => {
  const { query } = await serve({ graphql: { ...flat, depthLimit: 2 } });
  const { status } = await query(
    "{ articles { ...A } } fragment A on Article { author { ...B } } fragment B on Author { boss { name } }",
  );
  expect(status).toBe(400);
});

test("too many aliases and too many tokens are refused", async () => {
  const { query } = await serve({ graphql: { ...flat, aliasLimit: 3, tokenLimit: 60 } });
  const aliases = Array.from({ length: 4 }, (_, index) => `a${index}: __type(name: "A") { name }`).join(" ");
  expect(await query(`{ ${aliases} }`)).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
  });
  expect((await query(`{ ${"__typename ".repeat(80)} }`)).status).toBe(400);
});

test("what goes wrong inside is answered without its cause", async () => {
  const database = { ...emptyDatabase(), rows: () => Promise.reject(new Error("the password is in here")) };
  const { query } = await serve({ database, graphql: flat });
  const { body, text } = await query("{ articles { title } }");
  expect(body).toMatchObject({
    errors: [{ message: "Internal Server Error", extensions: { code: "INTERNAL_SERVER_ERROR" } }],
  });
  expect(text).not.toContain("password");
});

test("a fault of syntax is a 400 that says where it is", async () => {
  const { query } = await serve({ graphql: flat });
  expect(await query("{")).toMatchObject({
    status: 400,
    body: { errors: [{ locations: [{ line: 1, column: 2 }], extensions: { code: "GRAPHQL_PARSE_FAILED" } }] },
  });
});
