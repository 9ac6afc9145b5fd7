/** How the page looks: light or dark, as the system has it or as one chooses. */
import { createHash } from "node:crypto";

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas); --soft: color-mix(in srgb, CanvasText 68%, Canvas); }
:root[data-theme="light"] { color-scheme: light; } :root[data-theme="dark"] { color-scheme: dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.25rem; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; } h3 { font-size: .95rem; margin: 1rem 0 .25rem; }
code, pre, textarea, output { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
header { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .75rem; padding: .75rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
input, select, textarea, button { font: inherit; color: inherit; background: Canvas; border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .6rem; }
#search { flex: 1 1 14rem; } #token { flex: 1 1 14rem; } textarea { width: 100%; box-sizing: border-box; min-height: 8rem; }
details { border-top: 1px solid var(--line); padding: .4rem 0; } summary { cursor: pointer; } [hidden] { display: none; }
.method { display: inline-block; width: 4.5rem; font-weight: 600; } .soft { color: var(--soft); }
table { width: 100%; border-collapse: collapse; } td { padding: .2rem .75rem .2rem 0; vertical-align: top; } td:first-child { width: 14rem; }
form p { margin: .4rem 0; } label { display: inline-flex; gap: .5rem; align-items: baseline; margin-right: 1rem; }
output { display: block; white-space: pre-wrap; padding: .75rem 0; } output:empty { display: none; }
`;

/** With exactly the text that the policy knows. */
export const STYLE_ELEMENT = `<style>${STYLE}</style>`;

/** How a policy names the style. */
export const STYLE_SOURCE = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;
