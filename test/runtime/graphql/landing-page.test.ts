import { expect, test } from "vitest";
import { type GraphqlConfig, serve } from "./world.ts";

/** Whether a browser gets the sandbox. */
const hasSandbox = async (graphql: GraphqlConfig, production: boolean): Promise<boolean> => {
  const { open } = await serve({ graphql, production });
  return (await (await open()).text()).includes("graphiql");
};

test.each<[GraphqlConfig, boolean, boolean]>([
  [{}, true, false],
  [{ landingPage: false }, false, false],
  [{ landingPage: true }, true, true],
  [{ playgroundAlways: false }, true, false],
  [{ playgroundAlways: true, landingPage: false }, true, true],
  [{ landingPage: ({ production }) => production }, false, true],
])("with %j there is a sandbox in development: %s, in production: %s", async (graphql, development, production) => {
  expect(await hasSandbox(graphql, false)).toBe(development);
  expect(await hasSandbox(graphql, true)).toBe(production);
});

test("a function may give a page of its own, with headers of its own", async () => {
  const { open } = await serve({
    graphql: {
      endpoint: "/graphql",
      landingPage:
        ({ endpoint }) =>
        (request) =>
          new Response(`<p>${endpoint} at ${new URL(request.url).pathname}</p>`, {
            headers: { "Content-Type": "text/html", "Content-Security-Policy": "default-src 'none'" },
          }),
    },
  });
  const page = await open();
  expect(await page.text()).toBe("<p>/graphql at /graphql</p>");
  expect(page.headers.get("content-security-policy")).toBe("default-src 'none'");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
});

const answersIntrospection = async (graphql: GraphqlConfig, production: boolean): Promise<boolean> => {
  const { query } = await serve({ graphql, production });
  return (await query("{ __schema { queryType { name } } }")).status === 200;
};

test("questions about the schema are answered outside of production, and in it where that is configured", async () => {
  expect(await answersIntrospection({}, false)).toBe(true);
  expect(await answersIntrospection({}, true)).toBe(false);
  expect(await answersIntrospection({ landingPage: true }, true)).toBe(false);
  expect(await answersIntrospection({ server: { introspection: true } }, true)).toBe(true);
  expect(await answersIntrospection({ server: { introspection: false } }, false)).toBe(false);
});
