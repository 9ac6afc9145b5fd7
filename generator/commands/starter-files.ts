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
    scripts: { dev: "cms dev", generate: "cms generate", migrate: "cms migrate", start: "cms start" },
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
  // A snapshot is data for the next comparison: reviewers read the SQL beside it.
  ".gitattributes":
    "* text=auto eol=lf\ngenerated/migrations/*/snapshot.json linguist-generated=true -diff\ngenerated/.manifest/** linguist-generated=true -diff\n",
  ".gitignore": "node_modules\n/build\n.cms\n.env\ntoken.txt\npublic/uploads\n",
  "cms.config.ts": config,
  "content-types/article/schema.json": schema,
});
