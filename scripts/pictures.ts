/**
 * Draws the pictures of the documentation: `npm run pictures` writes `docs/pictures/*.svg`, with `--check` it fails where one
 * is not what is drawn here. Each file has the colours of a light and of a dark page.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
  /** What stands on the arrow that leads on to the next box. */
  readonly next?: string;
}

interface Picture {
  readonly name: string;
  /** What the picture shows, for those who cannot see it. */
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
];

const HEIGHT = 132;
const PADDING = 16;
/** The width of a character, at most, of the font in the size that the picture uses. */
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

const widthOf = (texts: readonly string[]): number =>
  Math.ceil(Math.max(...texts.map(({ length }) => length)) * CHARACTER);

const text = (words: string, x: number, y: number, kind?: string): string =>
  `  <text${kind === undefined ? "" : ` class="${kind}"`} x="${x}" y="${y}">${words}</text>`;

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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${x + 1} ${HEIGHT}" width="${x + 1}" height="${HEIGHT}" role="img">
  <title>${title}</title>
  <style>${STYLE}
  </style>
${parts.join("\n")}
</svg>
`;
};

for (const picture of PICTURES) {
  const file = path.join(import.meta.dirname, "../docs/pictures", `${picture.name}.svg`);
  if (!process.argv.includes("--check")) writeFileSync(file, draw(picture));
  else if (readFileSync(file, "utf8") !== draw(picture)) throw new Error(`run "npm run pictures": ${file} is old`);
}
