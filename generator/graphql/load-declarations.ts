/** Runs rendered `graphql.ts` files and the project's `app.ts`, so that the schema is described by what the server will load. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { SetupError } from "../../runtime/base/setup-error.ts";
import type { Declarations } from "../../runtime/graphql/create-schema.ts";
import { userModule } from "../emit/user-module.ts";
import type { Model } from "../model/model.ts";
import { bundleRendered } from "../rendered/bundle-rendered.ts";

export interface DeclarationSource {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The output folder, absolute. */
  readonly folder: string;
  /** The way from the output folder to the root, with forward slashes. */
  readonly toRoot: string;
  /** `app.ts` of the project, relative to the root; undefined where there is none. */
  readonly app: string | undefined;
  readonly model: Model;
  readonly rendered: readonly { readonly path: string; readonly text: string }[];
}

export interface LoadedDeclarations {
  readonly declarations: Declarations;
  /** Absolute paths of the user's files that were run. */
  readonly inputs: readonly string[];
}

/** One module that exports what {@link Declarations} holds. */
const entryOf = ({ model, app, toRoot }: DeclarationSource): string => {
  const types = model.contentTypes.map(({ names }, index) => ({
    name: `type${index}`,
    line: `import { ${names.typeConst} as type${index} } from "./${names.folder}/type.ts";`,
  }));
  const files = [
    ...model.components.map(({ names }) => ({ constant: names.graphqlConst, file: `${names.path}.graphql.ts` })),
    ...model.contentTypes.map(({ names }) => ({ constant: names.graphqlConst, file: `${names.folder}/graphql.ts` })),
  ];
  const modules = files.map(({ constant, file }, index) => ({
    name: `module${index}`,
    line: `import { ${constant} as module${index} } from "./${file}";`,
  }));
  return [
    ...[...types, ...modules].map(({ line }) => line),
    `export const types = [${types.map(({ name }) => name).join(", ")}];`,
    `export const modules = [${modules.map(({ name }) => name).join(", ")}];`,
    app === undefined
      ? "export const app = undefined;"
      : `export { default as app } from ${JSON.stringify(userModule(toRoot, app))};`,
  ].join("\n");
};

/** Imports code from a file in the project, where the packages that it imports are found. */
const importCode = async (root: string, code: string): Promise<Declarations> => {
  const folder = path.join(root, ".cms", "build");
  const file = path.join(folder, `declarations-${process.pid}-${performance.now()}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  process.setSourceMapsEnabled(true);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
};

/** Throws a SetupError when the project's own code fails. */
export const loadDeclarations = async (source: DeclarationSource): Promise<LoadedDeclarations> => {
  const { root, folder, app, rendered } = source;
  const files = new Map(rendered.map(({ path: file, text }) => [file, text]));
  const { code, inputs } = await bundleRendered({
    folder,
    files,
    entry: entryOf(source),
    traceable: app !== undefined,
  });
  try {
    return { declarations: await importCode(root, code), inputs };
  } catch (error) {
    if (app === undefined) throw error;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new SetupError(`${app}, or what it imports, fails to load: ${trace}`, { cause: error });
  }
};
