/** The blocks of a page of the documentation, in their order. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { repository } from "./processes.ts";

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that the text before it names last, where it names one. */
  readonly file: string | undefined;
}

/** The blocks of a page of docs/, or of `../README.md`; those of a list without what they are indented by. */
export const blocksOf = async (page: string): Promise<readonly Block[]> => {
  const text = await readFile(path.join(repository, "docs", page), "utf8");
  let before = "";
  let read = 0;
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [whole, indent = "", language = "", block = ""] = match;
    before = text.slice(read, match.index);
    read = match.index + whole.length;
    const file = [...before.matchAll(/`([\w./-]+\/[\w.-]+\.(?:json|ts|mjs|svg)|cms\.config\.ts)`/g)].at(-1)?.[1];
    return { language, text: block.replaceAll(new RegExp(`^${indent}`, "gm"), ""), file };
  });
};

/** The pages of docs/, without the API reference, which is not committed. */
export const docPages = async (folder = path.join(repository, "docs")): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => name.endsWith(".md") && !/^(?:api|node_modules)\//.test(name))
    .toSorted();

/** All of them, by page. */
export const allBlocks = async (): Promise<readonly (readonly [page: string, blocks: readonly Block[]])[]> => {
  const pages = ["../README.md", ...(await docPages())];
  return Promise.all(pages.map(async (page) => [page, await blocksOf(page)] as const));
};

/** Pages whose TypeScript is compiled in the project of this repository. */
export const COMPILED: readonly string[] = [
  "build/authentication",
  "run/caching",
  "reference/configuration",
  "run/deployment",
  "run/audit",
  "run/events",
  "build/extensions",
  "learn/from-strapi",
  "learn/from-strapi-4",
  "build/graphql",
  "build/live-preview",
  "build/media",
  "run/operations",
  "run/panel",
  "build/permissions",
  "build/search",
  "build/writing",
].map((name) => `${name}.md`);

/** The commands of a block: of a `console` those behind `$`, with the lines that they go on in. */
export const commandsOf = ({ language, text }: Block): readonly string[] => {
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  if (language === "sh") return lines.filter((line) => line.trim() !== "");
  return lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
};
