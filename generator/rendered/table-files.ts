/** The rendered files that declare tables, and how a bundle of rendered code passes on their exports. */
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";

const TABLE_FILE = /^(?:tables\.ts|(?!components\/).*\/table\.ts)$/;

/** The files that declare the tables of content types, and the one that exports all tables. */
export const tableFilesIn = <File extends { readonly path: string }>(files: readonly File[]): readonly File[] =>
  files.filter(({ path }) => TABLE_FILE.test(path));

const NAME = /^tables\d+$/;

/** TypeScript for a bundle's entry: re-exports everything from the files, and from the runtime's own tables. */
export const exportTables = (paths: readonly string[]): string =>
  ["galley-cms/system-tables", ...paths.map((path) => `./${path}`)]
    .map((specifier, index) => `export * as tables${index} from "${specifier}";`)
    .join("\n");

/**
 * What {@link exportTables} made a bundle export. A table that is exported again takes the place of the runtime's own:
 * it may have more indexes.
 */
export const tablesOf = (bundle: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const exported = Object.entries(bundle).flatMap(([name, module]): readonly unknown[] =>
    NAME.test(name) && typeof module === "object" && module !== null ? Object.values(module) : [],
  );
  return [...new Map(exported.map((each) => [is(each, PgTable) ? getTableName(each) : each, each])).values()];
};
