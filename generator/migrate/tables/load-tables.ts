/** Runs rendered `table.ts` files, so that what is compared are the tables that the server will use. */
import { bundleRendered } from "../../rendered/bundle-rendered.ts";
import { exportTables, tablesOf } from "../../rendered/table-files.ts";

/**
 * Imports rendered table files together with the runtime's own tables.
 *
 * @param folder the output folder, absolute
 * @param files TypeScript by path below the output folder
 * @returns everything that they export
 */
export const loadTables = async (folder: string, files: ReadonlyMap<string, string>): Promise<readonly unknown[]> => {
  const { code } = await bundleRendered({ folder, files, entry: exportTables([...files.keys()]) });
  const address = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  return tablesOf(await import(address));
};
