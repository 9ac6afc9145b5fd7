/** The configuration of a project whose schema files a command reads. */
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";

const withSlashes = (path: string): string => path.split(sep).join("/");

/** @param from The folder with the schema files, if it is not the configured one. */
export const openSources = async (root: string, from: string | undefined) => {
  const config = await loadConfig(root);
  const { generate, locales } = config;
  const folder = resolve(root, generate.to);
  const source = resolve(root, from ?? generate.from);
  const app = join(source, "app.ts");
  return {
    ...config,
    /** Absolute. */
    root,
    /** The output folder, absolute. */
    folder,
    /** The output folder as messages show it: relative to the root, with forward slashes. */
    name: withSlashes(relative(root, folder)),
    /** The path from the output folder to the root, with forward slashes. */
    toRoot: withSlashes(relative(folder, root)),
    /** The folder with the schema files, absolute. */
    from: source,
    /** `app.ts` beside the schema files, relative to the root; undefined if there is none. */
    app: existsSync(app) ? withSlashes(relative(root, app)) : undefined,
    /** The locale for existing content that has none. */
    defaultLocale: locales.default,
    /** Whether a client is generated. */
    client: generate.client,
  };
};

export type Project = Readonly<Awaited<ReturnType<typeof openSources>>>;
