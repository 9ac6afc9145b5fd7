/** The rendered files that declare tables, and how a bundle of rendered code passes on their exports. */

const TABLE_FILE = /^(?:tables\.ts|(?!components\/).*\/table\.ts)$/;

/** The files that declare the tables of content types, and the one that exports all tables. */
export const tableFilesIn = <File extends { readonly path: string }>(files: readonly File[]): readonly File[] =>
  files.filter(({ path }) => TABLE_FILE.test(path));

/** TypeScript for a bundle's entry: re-exports everything from the files, and from the runtime's own tables. */
export const exportTables = (paths: readonly string[]): string =>
  ["galley-cms/system-tables", ...paths.map((path) => `./${path}`)]
    .map((specifier, index) => `export * as tables${index} from "${specifier}";`)
    .join("\n");
