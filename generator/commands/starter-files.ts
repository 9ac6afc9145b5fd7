import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const folder = new URL("templates/starter/", import.meta.resolve("galley-cms/package.json"));
/** A file of `templates/starter`. */
export const starter = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** A name that npm accepts. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "") || "content";

/** The scripts of a project. */
export const starterScripts = {
  dev: "cms dev",
  generate: "cms generate",
  migrate: "cms migrate",
  start: "cms start",
} as const;

/** What git ignores: packages, build output, the embedded database, and all secrets. */
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

/**
 * The files of a new project: their content by path.
 * @param dependencies Versions by name.
 */
export const starterFiles = (
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(
    {
      name: packageName(name),
      version: "0.0.0",
      private: true,
      type: "module",
      scripts: starterScripts,
      dependencies: Object.fromEntries(Object.entries(dependencies).toSorted()),
    },
    null,
    2,
  )}\n`,
  "tsconfig.json": starter("tsconfig.json"),
  ".gitattributes": `${gitAttributes.join("\n")}\n`,
  ".gitignore": `${ignored.join("\n")}\n`,
  "cms.config.ts": starter("cms.config.ts"),
  "drizzle.config.ts": starter("drizzle.config.ts"),
  "content-types/article/schema.json": starter("schema.json"),
});

const secret = (): string => randomBytes(32).toString("hex");

/** Secrets that compose.yaml requires. */
export const CONTAINER_SECRETS = ".env.container";

/** The lines of `.dockerignore`. */
export const dockerIgnored = (): readonly string[] => starter("container/dockerignore").trimEnd().split("\n");

/** The files that build a project into a container and run it with PostgreSQL: their contents by path. */
export const containerFiles = (): Readonly<Record<string, string>> => ({
  Dockerfile: starter("container/Dockerfile"),
  ".dockerignore": starter("container/dockerignore"),
  "compose.yaml": starter("container/compose.yaml"),
  [CONTAINER_SECRETS]: ["POSTGRES_PASSWORD", "JWT_SECRET", "API_TOKEN_SALT"]
    .map((name) => `${name}=${secret()}\n`)
    .join(""),
});
