/**
 * The page that shows the OpenAPI document: Swagger UI, an optional package of the project. This server serves all of
 * it, and it loads nothing from other servers.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { html, raw } from "hono/html";

const PACKAGE = "swagger-ui-dist";

/** The files of the package that the page needs, with their content types. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** The folder of the package; undefined if it is not installed. */
const folderOfPackage = (from: string): string | undefined => {
  try {
    return path.dirname(createRequire(from).resolve(`${PACKAGE}/package.json`));
  } catch {
    return undefined;
  }
};

/** A page, with the content security policy that it needs. */
export interface Page {
  readonly body: string;
  readonly policy: string;
}

const policyOf = (...own: readonly string[]): string =>
  ["default-src 'none'", ...own, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(";");

const frame = (head: unknown, body: unknown) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <title>API</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `;

const missingPage = async (address: string): Promise<Page> => ({
  body: String(
    await frame(
      "",
      html`<h1>The documentation page needs ${PACKAGE}.</h1>
        <p>Install it in the project and start the server again: <code>npm install ${PACKAGE}</code></p>
        <p>The document itself is at <a href="${address}">${address}</a>.</p>`,
    ),
  ),
  policy: policyOf("img-src data:"),
});

const viewerPage = async (page: string, address: string): Promise<Page> => {
  const settings = {
    url: address,
    dom_id: "#page",
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  };
  const script = `SwaggerUIBundle(${JSON.stringify(settings).replaceAll("<", "\\u003c")})`;
  return {
    body: String(
      await frame(
        html`<link rel="stylesheet" href="${page}/swagger-ui.css" />`,
        html`<div id="page"></div>
          <script src="${page}/swagger-ui-bundle.js"></script>
          ${raw(`<script>${script}</script>`)}`,
      ),
    ),
    policy: policyOf(
      `script-src 'self' 'sha256-${hash("sha256", script, "base64")}'`,
      // Swagger UI uses inline styles.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
    ),
  };
};

/** The documentation page of a project. */
export interface Documentation {
  readonly page: Page;
  /** Reads a file of {@link PAGE_FILES}; undefined if the package is not installed. */
  readonly file: ((name: string) => Promise<string>) | undefined;
}

/**
 * Resolves the package, and makes the page.
 *
 * @param page the path of the page
 * @param address the path of the document
 * @param from the address of the module from which the package is resolved
 */
export const documentation = async (
  page: string,
  address: string,
  from: string = import.meta.url,
): Promise<Documentation> => {
  const folder = folderOfPackage(from);
  if (folder === undefined) return { page: await missingPage(address), file: undefined };
  return { page: await viewerPage(page, address), file: (name) => readFile(path.join(folder, name), "utf8") };
};
