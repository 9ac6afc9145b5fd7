/** What is configured of a project whose schema files a command reads. */
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import type { Config } from "../../../runtime/config/config.ts";
import type { ArtifactConfig } from "../../artifacts/render.ts";

export interface Project extends ArtifactConfig, Pick<Config, "customFields"> {
  /** Absolute. */
  readonly root: string;
  /** The output folder, absolute. */
  readonly folder: string;
  /** The output folder as messages call it, relative to the root, with forward slashes. */
  readonly name: string;
  /** The way from the output folder to the root, with forward slashes. */
  readonly toRoot: string;
  /** The folder with the schema files, absolute. */
  readonly from: string;
  /** `app.ts` beside the schema files, relative to the root; undefined where there is none. */
  readonly app: string | undefined;
  /** The locale of content that has none yet. */
  readonly defaultLocale: string;
  /** Whether a client is generated. */
  readonly client: boolean;
}

const withSlashes = (path: string): string => path.split(sep).join("/");

/** @param from The folder with the schema files, where it is not the configuration's. */
export const openSources = async (root: string, from: string | undefined): Promise<Project> => {
  const { generate, locales, graphql, openapi, rest, documents, permissions, customFields } = await loadConfig(root);
  const folder = resolve(root, generate.to);
  const source = resolve(root, from ?? generate.from);
  const app = join(source, "app.ts");
  return {
    root,
    folder,
    name: withSlashes(relative(root, folder)),
    toRoot: withSlashes(relative(folder, root)),
    from: source,
    app: existsSync(app) ? withSlashes(relative(root, app)) : undefined,
    defaultLocale: locales.default,
    graphql,
    openapi,
    rest,
    documents,
    permissions,
    client: generate.client,
    customFields,
  };
};
