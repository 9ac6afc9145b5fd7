/** From a project's folder to its model: configuration, schema files, diagnostics. */
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { locate, type LocatedDiagnostic } from "../../diagnostics/positions.ts";
import { buildModel } from "../../model/build.ts";
import type { Model } from "../../model/model.ts";
import { loadSchemas } from "../../schema/load.ts";

export interface Project {
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
  readonly graphql: Config["graphql"];
  readonly openapi: Config["openapi"];
  readonly rest: Config["rest"];
  readonly documents: Config["documents"];
  /** Whether a client is generated. */
  readonly client: boolean;
  /** What custom fields of plugins are kept as. */
  readonly customFields: Config["customFields"];
}

export interface LoadedModel {
  /** Undefined when errors keep files from being written. */
  readonly model: Model | undefined;
  readonly diagnostics: readonly LocatedDiagnostic[];
}

const withSlashes = (path: string): string => path.split(sep).join("/");

/** @param from The folder with the schema files, where it is not the configuration's. */
export const openSources = async (root: string, from: string | undefined): Promise<Project> => {
  const { generate, locales, graphql, openapi, rest, documents, customFields } = await loadConfig(root);
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
    client: generate.client,
    customFields,
  };
};

/** Reads the schema files and resolves them; what is wrong with them is in `diagnostics`. */
export const loadModel = async ({ root, from, customFields }: Project): Promise<LoadedModel> => {
  const { files, extensions, broken, diagnostics, texts } = loadSchemas({ root, from });
  const built = buildModel(files, broken, extensions, customFields);
  const all = [...diagnostics, ...built.diagnostics];
  const located = locate(all, (file) => texts.get(file));
  return { model: hasErrors(all) ? undefined : built.model, diagnostics: located };
};
