/** What browsers are told of other origins. */
import { expect, test } from "vitest";
import { defineExtension } from "../../runtime/app/extension.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { everyone } from "../../runtime/http/rest/index.ts";
import { applicationOf, testServices } from "../support/services.ts";

const things = defineExtension({
  routes: (router) => void router.get("/things", everyone(), (c) => c.json({ data: [] })),
});
const application = applicationOf({ extensions: { "api::thing.thing": things } });

const app = async (config: ConfigInput = {}) => createHonoApp(await testServices(application, { config }), application);

test("an origin that is not configured is never allowed credentials", async () => {
  const origin = "https://evil.example";
  for (const config of [{}, { server: { cors: { origins: ["https://good.example"], credentials: true } } }]) {
    const { headers } = await (await app(config)).request("/api/things", { headers: { origin } });
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("access-control-allow-origin")).not.toBe(origin);
  }
});

test("where no cookie is read, an allowed origin is answered by its name", async () => {
  const origin = "https://a.example";
  const server = await app({ auth: { jwt: { mode: "legacy" } } });
  const { headers } = await server.request("/api/things", { headers: { origin } });
  expect(headers.get("access-control-allow-origin")).toBe(origin);
  expect(headers.get("access-control-allow-credentials")).toBe("true");
  const closed = await app({ auth: { jwt: { mode: "legacy" } }, server: { cors: { origins: ["https://b.example"] } } });
  expect(
    (await closed.request("/api/things", { headers: { origin } })).headers.get("access-control-allow-origin"),
  ).toBe("");
});

test("a configured origin is allowed, with credentials where they are configured", async () => {
  const origin = "https://good.example";
  const server = await app({ server: { cors: { origins: [origin], credentials: true } } });
  const { headers } = await server.request("/api/things", { headers: { origin } });
  expect(headers.get("access-control-allow-origin")).toBe(origin);
  expect(headers.get("access-control-allow-credentials")).toBe("true");
});

test("a preflight is answered with 204, on unknown paths too", async () => {
  const headers = { origin: "https://a.example", "access-control-request-method": "PUT" };
  for (const path of ["/api/things", "/api/nope"]) {
    const answer = await (await app()).request(path, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(answer.headers.get("access-control-max-age")).toBe("31536000");
  }
});

test("credentials are spoken of to origins only, and headers that messages recommend are allowed if they are asked for", async () => {
  const server = await app({ auth: { jwt: { mode: "legacy" } } });
  const { headers } = await server.request("/api/things");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  const preflight = async (asked: string): Promise<unknown> =>
    (
      await server.request("/graphql", {
        method: "OPTIONS",
        headers: {
          origin: "https://a.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": asked,
        },
      })
    ).headers.get("access-control-allow-headers");
  const plain = "Content-Type,Authorization,Origin,Accept";
  expect(await preflight("content-type, x-other")).toBe(plain);
  expect(await preflight("apollo-require-preflight")).toBe(`${plain},Apollo-Require-Preflight`);
  expect(await preflight("strapi-response-format,x-apollo-operation-name")).toBe(
    `${plain},Strapi-Response-Format,X-Apollo-Operation-Name`,
  );
  expect(await preflight("last-event-id,if-match")).toBe(`${plain},If-Match,Last-Event-ID`);
});

test("the server tells by what it is powered where the configuration says so", async () => {
  const [quiet, named] = [await app(), await app({ server: { poweredBy: "Strapi <strapi.io>" } })];
  expect((await quiet.request("/api/things")).headers.get("x-powered-by")).toBeNull();
  expect((await named.request("/api/things")).headers.get("x-powered-by")).toBe("Strapi <strapi.io>");
});

test("a preflight lets listed origins with credentials, and no others, ask for the refresh token in a cookie", async () => {
  const good = "https://good.example";
  const origins = ["*", good];
  const asks = async (origin: string, credentials: boolean, mode: "refresh" | "legacy" = "refresh") => {
    const server = await app({ server: { cors: { origins, credentials } }, auth: { jwt: { mode } } });
    const headers = { origin, "access-control-request-method": "POST" };
    const answer = await server.request("/api/auth/local", { method: "OPTIONS", headers });
    return answer.headers.get("access-control-allow-headers");
  };
  const plain = "Content-Type,Authorization,Origin,Accept";
  expect(await asks(good, true)).toBe(`${plain},X-Strapi-Refresh-Cookie`);
  expect(await asks(good, false)).toBe(plain);
  expect(await asks("https://other.example", true)).toBe(plain);
  expect(await asks(good, true, "legacy")).toBe(plain);
});
