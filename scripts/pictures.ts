/**
 * Draws the documentation's pictures: `npm run pictures` writes `docs/pictures/*.svg`, and with `--check` it fails if
 * one is outdated. Each file has colours for light and dark pages.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
  /** The label of the arrow to the next box. */
  readonly next?: string;
}

interface Picture {
  readonly name: string;
  /** A text alternative of the picture. */
  readonly title: string;
  readonly boxes: readonly Box[];
}

const PICTURES: readonly Picture[] = [
  {
    name: "idea",
    title: "Schema files become generated code, which becomes a server",
    boxes: [
      {
        title: "content-types/",
        lines: ["article/schema.json", "author/schema.json", "cms.config.ts"],
        next: "cms generate",
      },
      {
        title: "generated/",
        lines: ["Drizzle, Zod, Hono, Pothos", "client, OpenAPI", "SQL migrations"],
        next: "cms start",
      },
      { title: "the server", lines: ["/api", "/graphql", "PostgreSQL or embedded"] },
    ],
  },
  {
    name: "request",
    title: "A request passes the response cache, the check, the plan and one SQL statement",
    boxes: [
      { title: "request", lines: ["GET /api/articles", "?populate=author"], next: "" },
      { title: "response cache", lines: ["answers while nothing", "was committed"], next: "miss" },
      { title: "check", lines: ["permissions", "of the caller"], next: "" },
      { title: "plan", lines: ["SQL, remembered", "by shape"], next: "" },
      { title: "answer", lines: ["rows written", "as JSON"] },
    ],
  },
  {
    name: "site",
    title: "Schema files, the server, and the site that reads from it",
    boxes: [
      { title: "content-types/", lines: ["article, author", "sections, SEO", "seed"], next: "cms dev" },
      { title: "the server", lines: ["drafts, two locales", "permissions", "pictures"], next: "client" },
      { title: "site/public/", lines: ["en/index.html", "en/harbour.html", "de/hafen.html"] },
    ],
  },
];

/** Lines of a terminal; colours `+`, `~` and text between `[` and `]`. */
const TERMINAL = {
  name: "terminal",
  title: "cms dev in a terminal: it generates, migrates, serves, and reloads on a change",
  lines: [
    "$ npx cms dev",
    '+ generated/migrations/20260131093000_initial/ (read up.sql, then "cms migrate")',
    "generated: 44 created (352 ms)",
    "migrated: 20260131093000_initial",
    "public",
    "  + api::article.article.find",
    "  + api::article.article.findOne",
    "  + api::author.author.find",
    "[ready] in 1830 ms",
    "  REST     http://localhost:1337/api",
    "  GraphQL  http://localhost:1337/graphql",
    "  Stop with Ctrl+C.",
    "GET    /api/articles [200] 4 ms, 2 statements",
    "~ generated/author/table.ts",
    "~ generated/author/validator.ts",
    "+ generated/migrations/20260131093512_add_author_email/",
    "migrated: 20260131093512_add_author_email",
    "[reloaded]",
  ],
};

const HEIGHT = 132;
const PADDING = 16;
/** The maximum width of a character in the picture's font and size. */
const CHARACTER = 7.4;

const STYLE = `
    text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #3c3c43; }
    .title { font-weight: 600; fill: #1b1b1f; }
    .on-arrow { font: 12px ui-monospace, monospace; text-anchor: middle; }
    rect { fill: #f6f6f7; stroke: #c2c2c4; }
    path { stroke: #67676c; fill: none; }
    @media (prefers-color-scheme: dark) {
      text { fill: #c9c9cf; }
      .title { fill: #fffff5; }
      rect { fill: #202127; stroke: #3c3f44; }
      path { stroke: #98989f; }
    }`;

/** A terminal has the same colours on light and dark pages. */
const TERMINAL_STYLE = `
    text { font: 13px ui-monospace, monospace; fill: #d4d4d8; white-space: pre; }
    .added { fill: #7ee787; }
    .changed { fill: #e3b341; }
    rect { fill: #202127; stroke: #3c3f44; }`;

const widthOf = (texts: readonly string[]): number =>
  Math.ceil(Math.max(...texts.map(({ length }) => length)) * CHARACTER);

const text = (words: string, x: number, y: number, kind?: string): string =>
  `  <text${kind === undefined ? "" : ` class="${kind}"`} x="${x}" y="${y}">${words}</text>`;

const svg = (
  title: string,
  [width, height]: readonly [number, number],
  style: string,
  parts: readonly string[],
): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${title}</title>
  <style>${style}
  </style>
${parts.join("\n")}
</svg>
`;

const coloured = (line: string): string =>
  line
    .replaceAll("  ", "\u00a0\u00a0")
    .replace(/^\s*[+~]/, (mark) => `<tspan class="${mark.endsWith("+") ? "added" : "changed"}">${mark}</tspan>`)
    .replace(/\[(\w+)\]/, '<tspan class="added">$1</tspan>');

const drawTerminal = ({ title, lines }: typeof TERMINAL): string => {
  const size = [Math.ceil(1.1 * widthOf(lines)) + 2 * PADDING, lines.length * 20 + 2 * PADDING] as const;
  return svg(title, size, TERMINAL_STYLE, [
    `  <rect x="1" y="1" width="${size[0] - 2}" height="${size[1] - 2}" rx="8" />`,
    ...lines.map((line, index) => text(coloured(line), PADDING, PADDING + 14 + index * 20)),
  ]);
};

const draw = ({ title, boxes }: Picture): string => {
  const parts: string[] = [];
  let x = 1;
  for (const box of boxes) {
    const width = widthOf([box.title, ...box.lines]) + 2 * PADDING;
    parts.push(`  <rect x="${x}" y="1" width="${width}" height="${HEIGHT - 2}" rx="8" />`);
    parts.push(text(box.title, x + PADDING, 32, "title"));
    parts.push(...box.lines.map((line, index) => text(line, x + PADDING, 62 + index * 22)));
    x += width;
    if (box.next === undefined) continue;
    const length = widthOf([box.next]) + 2 * PADDING;
    const y = HEIGHT / 2;
    parts.push(`  <path d="M ${x + 8} ${y} H ${x + length - 8} m -6 -5 l 6 5 l -6 5" />`);
    if (box.next !== "") parts.push(text(box.next, x + length / 2, y - 10, "on-arrow"));
    x += length;
  }
  return svg(title, [x + 1, HEIGHT], STYLE, parts);
};

const drawn = [
  ...PICTURES.map((picture) => [picture.name, draw(picture)] as const),
  [TERMINAL.name, drawTerminal(TERMINAL)] as const,
];
for (const [name, content] of drawn) {
  const file = path.join(import.meta.dirname, "../docs/pictures", `${name}.svg`);
  if (!process.argv.includes("--check")) writeFileSync(file, content);
  else if (readFileSync(file, "utf8") !== content) throw new Error(`run "npm run pictures": ${file} is old`);
}
