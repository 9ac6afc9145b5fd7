/** The style of the page at `/`, in the system's light or dark colours. */
import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas); --soft: color-mix(in srgb, CanvasText 68%, Canvas); }
body { max-width: 52rem; margin: 3rem auto; padding: 0 1.25rem; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 1.75rem 0 .25rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; } td { padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 4.5rem; } .soft { color: var(--soft); font-weight: normal; }
`;

/** The `<style>` element. Its text must be exactly the one that the policy below allows by its hash. */
export const STYLE_ELEMENT = `<style>${STYLE}</style>`;

const digest = createHash("sha256").update(STYLE).digest("base64");

/** The content security policy: allows the page's own style, and no scripts, frames or forms. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(";");
