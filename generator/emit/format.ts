/** Line breaks are the formatter's: it is given a file as templates wrote it, and refuses what is no TypeScript. */
import type { FormatConfig } from "oxfmt";
import type { RenderedFile } from "./emitter.ts";

/** The style of generated files, in every project the same. */
const STYLE: FormatConfig = { printWidth: 120, sortImports: { newlinesBetween: false } };

/** @param file the name of the file, whose ending says in which language the text is */
export const formatted = async (file: string, text: string): Promise<string> => {
  const { format } = await import("oxfmt");
  const { code, errors } = await format(file, text, STYLE);
  const [error] = errors;
  if (error) throw new Error(`${file} cannot be formatted: ${error.message}\n${error.codeframe ?? ""}`);
  return code;
};

/** One after the other: the formatter takes three times the CPU for files that it is given at once. */
export const formattedFiles = async (files: readonly RenderedFile[]): Promise<readonly RenderedFile[]> => {
  const done: RenderedFile[] = [];
  for (const { path, text } of files) done.push({ path, text: await formatted(path, text) });
  return done;
};
