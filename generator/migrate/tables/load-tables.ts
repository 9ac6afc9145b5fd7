/** Evaluates rendered `table.ts` files, so that the comparison uses the same tables as the server. */
import { bundleRendered } from "../../rendered/bundle-rendered.ts";
import { tablesOf } from "../../rendered/exported-tables.ts";
import { exportTables } from "../../rendered/table-files.ts";

/**
 * Imports rendered table files together with the runtime's own tables.
 *
 * @param folder the output folder, absolute
 * @param files TypeScript by path below the output folder
 * @returns all of their exports
 */
export const loadTables = async (folder: string, files: ReadonlyMap<string, string>): Promise<readonly unknown[]> => {
  const { code } = await bundleRendered({ folder, files, entry: exportTables([...files.keys()]) });
  const address = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
  return tablesOf(await import(address));
};
