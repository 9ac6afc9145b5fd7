/** The site of the documentation: VitePress renders the pages of docs/ as they are in the repository. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitepress";

const REPOSITORY = "https://github.com/galley-cms/galley";
const docs = path.resolve(import.meta.dirname, "..");

/** The groups of docs/README.md, which lists every page once. */
const sidebar = readFileSync(path.join(docs, "README.md"), "utf8")
  .split(/^## /m)
  .slice(1)
  .map((group) => ({
    text: group.slice(0, group.indexOf("\n")),
    items: [...group.matchAll(/^- \[(.+?)\]\((.+?)\.md\)/gm)].map(([, text = "", page]) => ({
      text: text.replaceAll("`", ""),
      link: `/${page?.replace(/README$/, "index")}`,
    })),
  }));

/** Pages name files of the repository, too, which the site does not have. */
const inRepository = (link: string, page: string): string => {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [file = "", anchor] = link.split("#");
  const target = path.relative(path.dirname(docs), path.resolve(docs, path.dirname(page), file));
  if (target.startsWith("docs/")) return link;
  return `${REPOSITORY}/blob/main/${target}${anchor === undefined ? "" : `#${anchor}`}`;
};

export default defineConfig({
  title: "Galley",
  description: "Turns content-type schema files into a typed content server.",
  // The API reference is not committed: the site has it where `npm run docs:api` has run.
  ignoreDeadLinks: [/\/api\/README$/],
  rewrites: { "README.md": "index.md", ":folder/README.md": ":folder/index.md" },
  cleanUrls: true,
  markdown: {
    languageAlias: { svg: "xml" },
    config: (markdown) => {
      markdown.core.ruler.after("inline", "links-of-the-repository", ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === "link_open" ? token.attrGet("href") : null;
          if (link !== null) token.attrSet("href", inRepository(link, env.relativePath));
        }
      });
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path` },
  },
});
