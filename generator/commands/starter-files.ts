const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A name that npm accepts. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "content";

const schema = `{
  "kind": "collectionType",
  "collectionName": "articles",
  "info": { "singularName": "article", "pluralName": "articles", "displayName": "Article" },
  "options": { "draftAndPublish": true },
  "attributes": {
    "title": { "type": "string", "required": true, "maxLength": 120 },
    "slug": { "type": "uid", "targetField": "title" },
    "body": { "type": "richtext" }
  }
}
`;

const config = `import { defineConfig } from "galley-cms";

export default defineConfig({
  // What visitors without a token may do. \`cms permissions apply\` makes it so.
  permissions: {
    public: ["api::article.article.find", "api::article.article.findOne"],
  },
});
`;

/** The scripts of a project. */
export const starterScripts = {
  dev: "cms dev",
  generate: "cms generate",
  migrate: "cms migrate",
  start: "cms start",
} as const;

/** What git leaves out: packages, what is built, the embedded database, and whatever is secret. */
export const ignored = [
  "node_modules",
  "/build",
  ".cms",
  ".env",
  ".env.*",
  "!.env.example",
  "token.txt",
  "public/uploads",
] as const;

// A snapshot is data for the next comparison: reviewers read the SQL beside it.
export const gitAttributes = [
  "* text=auto eol=lf",
  "generated/migrations/*/snapshot.json linguist-generated=true -diff",
  "generated/.manifest/** linguist-generated=true -diff",
] as const;

const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;

/**
 * The files of a new project: their content by path.
 * @param dependencies Versions by name.
 */
export const starterFiles = (
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  "package.json": json({
    name: packageName(folder),
    version: "0.0.0",
    private: true,
    type: "module",
    scripts: starterScripts,
    dependencies: Object.fromEntries(Object.entries(dependencies).toSorted(byName)),
  }),
  "tsconfig.json": json({
    compilerOptions: {
      target: "ES2023",
      module: "preserve",
      moduleResolution: "bundler",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
    },
    include: ["content-types", "generated", "cms.config.ts"],
  }),
  ".gitattributes": `${gitAttributes.join("\n")}\n`,
  ".gitignore": `${ignored.join("\n")}\n`,
  "cms.config.ts": config,
  "content-types/article/schema.json": schema,
});
