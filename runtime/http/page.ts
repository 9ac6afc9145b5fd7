/** Pages that the server makes itself. */
import { html } from "hono/html";

/** The content security policy of a page: allows what `own` lists, and no other scripts, styles, frames or forms. */
export const pagePolicy = (...own: readonly string[]): string =>
  ["default-src 'none'", ...own, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(";");

interface PageParts {
  readonly title: string;
  readonly head?: unknown;
  readonly body: unknown;
}

/** A whole page. */
export const page = ({ title, head = "", body }: PageParts) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
