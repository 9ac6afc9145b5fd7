/** The pages of the API reference: an index, and one page per public module. */
import type { Entry, ExportedSymbol } from "./symbols.ts";

const pageName = ({ specifier }: Entry): string => `${specifier.replaceAll("/", "-")}.md`;

const section = ({ name, declaration, description }: ExportedSymbol): string =>
  [`## ${name}`, description, `\`\`\`ts\n${declaration}\n\`\`\``].join("\n\n");

const page = (entry: Entry): string =>
  `${[`# ${entry.specifier}`, entry.description, ...entry.symbols.map(section)].join("\n\n")}\n`;

const index = (entries: readonly Entry[]): string => {
  const lines = entries.map((entry) => {
    const [first] = entry.description.split(/(?<=\.)\s/);
    return `- [\`${entry.specifier}\`](${pageName(entry)}): ${(first ?? "").replaceAll("\n", " ")}`;
  });
  return `# API reference

What the package exports, module by module, made from the docstrings by \`npm run docs:api\`.

${lines.join("\n")}
`;
};

/** File names and their Markdown texts. */
export const renderPages = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map([["README.md", index(entries)], ...entries.map((entry) => [pageName(entry), page(entry)] as const)]);
