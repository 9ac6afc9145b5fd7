/** The code of docs/build/clients.md, as modules. */
import { blocksOf } from "./doc-blocks.ts";

/** What a page has, as far as the code uses it. */
const GLOBALS = `declare const localStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};
`;

/** What a block uses of those before it. */
const head = (text: string): string => {
  const imports = text.includes("createClient(")
    ? 'import { createClient } from "../generated/client/index.ts";\n'
    : "";
  return `${imports}import { cms } from "./clients.ts";\nvoid cms;\n`;
};

/** Each block is a module of the folder `code`, beside `generated`: the first one makes the client of the others. */
export const clientPage = async (): Promise<readonly (readonly [string, string])[]> => {
  const blocks = (await blocksOf("build/clients.md")).filter(({ language }) => language === "ts");
  const modules = blocks.map(({ text }, index): [string, string] =>
    index === 0
      ? ["code/clients.ts", text.replace("const cms", "export const cms")]
      : [`code/clients-${index}.ts`, `${head(text)}${text}`],
  );
  return [...modules, ["code/page.d.ts", GLOBALS]];
};
