/** The page at `/`, for people who open the address of the server in a browser. */
import { html, raw } from "hono/html";
import { STYLE_ELEMENT } from "./style.ts";

export interface RouteLine {
  readonly method: string;
  readonly path: string;
  /** The action that a caller needs; undefined where the route asks for none. */
  readonly action: string | undefined;
}

export interface TypeSection {
  readonly uid: string;
  /** Such as `collection type`, `drafts`. */
  readonly traits: readonly string[];
  readonly routes: readonly RouteLine[];
}

export interface Home {
  /** What REST paths begin with. */
  readonly prefix: string;
  /** The path of the sandbox; undefined where there is none. */
  readonly sandbox: string | undefined;
  /** The path of the page that shows the OpenAPI document; undefined where there is none. */
  readonly documentation: string | undefined;
  readonly types: readonly TypeSection[];
  /** Routes that belong to no content type of the project. */
  readonly others: readonly RouteLine[];
}

const frame = (title: string, body: unknown) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${raw(STYLE_ELEMENT)}
      </head>
      <body>
        ${body}
      </body>
    </html> `;

/** The path of a route, as a link if a browser can open it. */
const pathOf = ({ method, path }: RouteLine) =>
  method === "GET" && !/[:*{]/.test(path)
    ? html`<a href="${path}"><code>${path}</code></a>`
    : html`<code>${path}</code>`;

const routesOf = (routes: readonly RouteLine[]) =>
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

const sectionOf = ({ uid, traits, routes }: TypeSection) =>
  html`<h3><code>${uid}</code> <span class="soft">${traits.join(", ")}</span></h3>
    ${routesOf(routes)} `;

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
export const developmentPage = (home: Home) =>
  frame(
    "galley-cms",
    html`<h1>This server is running.</h1>
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
      ${routesOf(home.others)}`,
  );

/** The page at `/admin`, where editors look for a panel. */
export const adminPage = (prefix: string) =>
  frame(
    "No panel here",
    html`<h1>This server has no panel for editors.</h1>
      <p>
        Content is read and written through the API below <code>${prefix}</code>, by users and with API tokens. Where
        there is a panel at another address, <code>server.home</code> of the configuration leads there from
        <code>/</code>.
      </p>`,
  );

/** The page in production: tells only that the server runs. */
export const productionPage = () => frame("Running", html`<h1>This server is running.</h1>`);
