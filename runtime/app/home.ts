/** Answers at `/` with a page for people, or with the configured redirect. */
import { hash } from "node:crypto";
import type { Hono } from "hono";
import { html, raw } from "hono/html";
import type { Config } from "../config/config.ts";
import type { AppEnv, Services } from "../http/context.ts";
import { page, pagePolicy } from "../http/page.ts";
import { type Route, routesOf } from "../openapi/endpoint.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Application } from "./application.ts";
import { documentationPath } from "./openapi.ts";
import { mountPanel } from "./panel/mount.ts";

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas); --soft: color-mix(in srgb, CanvasText 68%, Canvas); }
body { max-width: 52rem; margin: 3rem auto; padding: 0 1.25rem; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; } td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 4.5rem; } .soft { color: var(--soft); font-weight: normal; }
`;

/** Allows the page's own style by its hash, which is that of exactly this text. */
const POLICY = pagePolicy(`style-src 'sha256-${hash("sha256", STYLE, "base64")}'`, "img-src data:");

const HEAD = html`<meta name="color-scheme" content="light dark" /> ${raw(`<style>${STYLE}</style>`)}`;

const traitsOf = ({ kind, draftAndPublish, localized }: ContentType): readonly string[] => [
  kind === "singleType" ? "single type" : "collection type",
  ...(draftAndPublish ? ["drafts"] : []),
  ...(localized ? ["locales"] : []),
];

/** The path of the GraphQL page for browsers; undefined if there is none. */
const sandboxOf = ({ endpoint, landingPage, playgroundAlways }: Config["graphql"]): string | undefined => {
  const chosen = typeof landingPage === "function" ? landingPage({ endpoint, production: false }) : landingPage;
  return playgroundAlways || chosen !== false ? endpoint : undefined;
};

/** What the page shows about an application, which is never any content. */
const homeOf = (app: Hono<AppEnv>, services: Services) => {
  const { config, registry } = services;
  const { rest, graphql } = config;
  const lines = routesOf(app, "").filter(({ path }) => path.startsWith(`${rest.prefix}/`));
  const types = Object.values(registry.contentTypes)
    .map(({ type }) => type)
    .filter(({ uid }) => uid.startsWith("api::"))
    .map((type) => ({
      uid: type.uid,
      traits: traitsOf(type),
      routes: lines.filter(({ action }) => action?.startsWith(`${type.uid}.`)),
    }));
  const listed = new Set(types.flatMap(({ routes }) => routes));
  return {
    prefix: rest.prefix,
    sandbox: sandboxOf(graphql),
    documentation: documentationPath(services),
    types,
    others: lines.filter((line) => !listed.has(line)),
  };
};

type Home = ReturnType<typeof homeOf>;

/** The path of a route, as a link if a browser can open it. */
const pathOf = ({ method, path }: Route) =>
  method === "GET" && !/[:*{]/.test(path)
    ? html`<a href="${path}"><code>${path}</code></a>`
    : html`<code>${path}</code>`;

const tableOf = (routes: readonly Route[]) =>
  html`<table>
    ${routes.map(
      (route) =>
        html`<tr>
          <td><code>${route.method}</code></td>
          <td>${pathOf(route)}</td>
          <td class="soft"><code>${route.action ?? ""}</code></td>
        </tr> `,
    )}
  </table>`;

const sectionOf = ({ uid, traits, routes }: Home["types"][number]) =>
  html`<h3><code>${uid}</code> <span class="soft">${traits.join(", ")}</span></h3>
    ${tableOf(routes)} `;

const firstSteps = (prefix: string, { types }: Home) => {
  const read = types.flatMap(({ routes }) => routes).find(({ method }) => method === "GET")?.path ?? prefix;
  if (types.length === 0) {
    return html`<p>
      There is no content type yet. Describe one in <code>content-types/article/schema.json</code>:
      <code>npx cms init</code> writes a first one, and <code>npx cms dev</code> serves it, again on every change.
    </p>`;
  }
  return html`<ol>
    <li>
      Ask: <a href="${read}"><code>${read}</code></a
      >. Where it answers 403, nobody without a token may do that: name the action in <code>permissions</code> of
      <code>cms.config.ts</code>, then <code>npx cms permissions apply</code>.
    </li>
    <li>
      Write with a token, sent as <code>Authorization: Bearer …</code>:
      <pre><code>npx cms token create --name editor --type full-access</code></pre>
    </li>
    <li>
      Change a file in <code>content-types/</code> while <code>npx cms dev</code> runs: it generates, migrates and
      serves at once.
    </li>
  </ol>`;
};

/** The page in development: lists content types and routes. */
const developmentPage = (home: Home) =>
  page({
    title: "galley-cms",
    head: HEAD,
    body: html`<h1>This server is running.</h1>
      <p class="soft">This page is for development. In production it says no more than its first line.</p>
      <h2>First</h2>
      ${firstSteps(home.prefix, home)}
      ${
        home.sandbox === undefined
          ? ""
          : html`<h2>GraphQL</h2>
              <p>
                The sandbox at <a href="${home.sandbox}"><code>${home.sandbox}</code></a> knows the schema, which is
                also in <code>generated/schema.graphql</code>.
              </p>`
      }
      <h2>REST</h2>
      ${
        home.documentation === undefined
          ? ""
          : html`<p>
              Every route with what it takes and answers, to read and to try:
              <a href="${home.documentation}"><code>${home.documentation}</code></a
              >.
            </p>`
      }
      <p>Types and their routes, with the action that a caller needs:</p>
      ${home.types.map(sectionOf)}
      <h3>Everything else</h3>
      ${tableOf(home.others)}`,
  });

/** The page at `/admin`, where editors look for a panel. */
const adminPage = (prefix: string) =>
  page({
    title: "No panel here",
    head: HEAD,
    body: html`<h1>This server has no panel for editors.</h1>
      <p>
        <code>panel: {}</code> in <code>cms.config.ts</code> puts one here. Content is read and written through the API
        below <code>${prefix}</code>, by users and with API tokens. Where there is a panel at another address,
        <code>server.home</code> of the configuration leads there from <code>/</code>.
      </p>`,
  });

/** The page in production: says only that the server runs. */
const productionPage = () => page({ title: "Running", head: HEAD, body: html`<h1>This server is running.</h1>` });

/** Tells browsers at `/admin` that there is no panel. */
const mountAdmin = (app: Hono<AppEnv>, { config }: Services): void => {
  app.get("/admin", (c, next) => {
    if (!(c.req.header("accept") ?? "").includes("text/html")) return next();
    return c.html(adminPage(config.rest.prefix), 404, { "Content-Security-Policy": POLICY });
  });
};

export const mountHome = (app: Hono<AppEnv>, services: Services, { panelExtensions }: Application): void => {
  const { home } = services.config.server;
  // Both answer at `/admin`, unless the panel is configured elsewhere.
  if (services.config.panel) mountPanel(app, services, services.config.panel, panelExtensions);
  mountAdmin(app, services);
  if (home !== undefined) {
    app.get("/", (c) =>
      c.body(`Redirecting to ${home}.`, 302, { Location: home, "Content-Type": "text/html; charset=utf-8" }),
    );
    return;
  }
  app.get("/", (c) =>
    c.html(services.production ? productionPage() : developmentPage(homeOf(app, services)), 200, {
      "Content-Security-Policy": POLICY,
    }),
  );
};
