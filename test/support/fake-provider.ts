/** An OpenID provider on a port of its own, which logs in whoever it was told to. */
import { createHash, randomBytes } from "node:crypto";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";

export interface FakeProvider {
  readonly issuer: string;
  /** Who logs in next. */
  profile: Record<string, unknown>;
  /** Follows the address that a server sent the browser to; returns where the browser is sent back to. */
  authorize(address: string): Promise<string>;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

/** The routes of a provider that knows one client; `person` is who is logged in at it. */
const routes = (clientId: string, clientSecret: string, person: () => object): Hono => {
  const grants = new Map<string, Grant>();
  const accessTokens = new Set<string>();
  return new Hono()
    .get("/.well-known/openid-configuration", (c) => {
      const issuer = new URL(c.req.url).origin;
      return c.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
      });
    })
    .get("/authorize", (c) => {
      const { redirect_uri: redirectUri = "", code_challenge: challenge = "", state = "" } = c.req.query();
      const code = randomBytes(8).toString("hex");
      grants.set(code, { redirectUri, challenge });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", state);
      return c.redirect(back.href);
    })
    .post("/token", async (c) => {
      const form = new URLSearchParams(await c.req.text());
      const code = form.get("code") ?? "";
      const grant = grants.get(code);
      grants.delete(code);
      const verifier = form.get("code_verifier") ?? "";
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const isClient = form.get("client_id") === clientId && form.get("client_secret") === clientSecret;
      const isGranted = grant?.challenge === challenge && grant.redirectUri === form.get("redirect_uri");
      if (!isClient || !isGranted) return c.json({ error: "invalid_grant" }, 400);
      const token = randomBytes(8).toString("hex");
      accessTokens.add(token);
      return c.json({ access_token: token, token_type: "bearer" });
    })
    .get("/userinfo", (c) => {
      const token = c.req.header("authorization")?.replace(/^Bearer /i, "") ?? "";
      return accessTokens.has(token) ? c.json(person()) : c.json({}, 401);
    });
};

export const startFakeProvider = async (clientId: string, clientSecret: string): Promise<FakeProvider> => {
  const provider: { profile: Record<string, unknown> } = { profile: {} };
  const server = createAdaptorServer({ fetch: routes(clientId, clientSecret, () => provider.profile).fetch });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return Object.assign(provider, {
    issuer: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async authorize(target: string) {
      const answer = await fetch(target, { redirect: "manual" });
      return answer.headers.get("location") ?? "";
    },
    close: () =>
      new Promise<void>((resolve) => {
        if ("closeAllConnections" in server) server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
};
