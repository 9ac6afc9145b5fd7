/** Leaves line breaks to the formatter: it gets a file as its template rendered it, and rejects invalid TypeScript. */
import type { FormatConfig } from "oxfmt";
import type { RenderedFile } from "./emitter.ts";

/** The style of generated files, the same in every project. */
const STYLE: FormatConfig = { printWidth: 120, sortImports: { newlinesBetween: false } };

/** @param file the file name, whose extension determines the language */
export const formatted = async (file: string, text: string): Promise<string> => {
  const { format } = await import("oxfmt");
  const { code, errors } = await format(file, text, STYLE);
  const [error] = errors;
  if (error) throw new Error(`${file} cannot be formatted: ${error.message}\n${error.codeframe ?? ""}`);
  return code;
};

/** Sequential: formatting files concurrently takes three times the CPU. */
export const formattedFiles = async (files: readonly RenderedFile[]): Promise<readonly RenderedFile[]> => {
  const done: RenderedFile[] = [];
  for (const { path, text } of files) done.push({ path, text: await formatted(path, text) });
  return done;
};
