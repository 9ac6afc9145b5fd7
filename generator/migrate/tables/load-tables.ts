/** Runs rendered `table.ts` files, so that what is compared are the tables that the server will use. */
import { bundleRendered } from "../../rendered/bundle-rendered.ts";

/**
 * Imports rendered table files together with the runtime's own tables.
 *
 * @param folder the output folder, absolute
 * @param files TypeScript by path below the output folder
 * @returns everything that they export
 */
export const loadTables = async (folder: string, files: ReadonlyMap<string, string>): Promise<readonly unknown[]> => {
  const imports = [...files.keys()].map((file, index) => `export * as t${index} from "./${file}";`);
  const entry = ['export * as system from "galley-cms/system-tables";', ...imports].join("\n");
  const { code } = await bundleRendered({ folder, files, entry });
  const address = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = await import(address);
  return Object.values(modules).flatMap((module) => Object.values(module));
};
