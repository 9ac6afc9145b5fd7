/**
 * The page that shows the OpenAPI document: Swagger UI, an optional package of the project. This server serves all of
 * it, and it loads nothing from other servers.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { html, raw } from "hono/html";
import { page, pagePolicy } from "../http/page.ts";

const PACKAGE = "swagger-ui-dist";

/** The files of the package that the page needs, with their content types. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** The folder of the package; undefined if it is not installed. */
const folderOfPackage = (from: string): string | undefined => {
  try {
    return dirname(createRequire(from).resolve(`${PACKAGE}/package.json`));
  } catch {
    return undefined;
  }
};

const missingPage = (address: string) => ({
  body: page({
    title: "API",
    body: html`<h1>The documentation page needs ${PACKAGE}.</h1>
      <p>Install it in the project and start the server again: <code>npm install ${PACKAGE}</code></p>
      <p>The document itself is at <a href="${address}">${address}</a>.</p>`,
  }),
  policy: pagePolicy("img-src data:"),
});

const viewerPage = (path: string, address: string) => {
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
    body: page({
      title: "API",
      head: html`<link rel="stylesheet" href="${path}/swagger-ui.css" />`,
      body: html`<div id="page"></div>
        <script src="${path}/swagger-ui-bundle.js"></script>
        ${raw(`<script>${script}</script>`)}`,
    }),
    policy: pagePolicy(
      `script-src 'self' 'sha256-${hash("sha256", script, "base64")}'`,
      // Swagger UI uses inline styles.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
    ),
  };
};

/** The documentation page of a project: its text, content security policy and files. */
export type Documentation = ReturnType<typeof documentation>;

/**
 * Resolves the package, and makes the page.
 *
 * @param path the path of the page
 * @param address the path of the document
 * @param from the address of the module from which the package is resolved
 */
export const documentation = (path: string, address: string, from: string = import.meta.url) => {
  const folder = folderOfPackage(from);
  return {
    ...(folder === undefined ? missingPage(address) : viewerPage(path, address)),
    /** Reads a file of {@link PAGE_FILES}; undefined if the package is not installed. */
    file: folder === undefined ? undefined : (name: string) => readFile(join(folder, name), "utf8"),
  };
};
