/** `cms add`: scaffolds schema files and code, once. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Argument, type Command } from "commander";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { isReservedWord } from "../model/names.ts";
import { GENERATED_FOLDERS } from "../model/reserved.ts";
import { fileOfComponent, folderOfType } from "../schema/find.ts";
import { addAttribute } from "./add/attribute.ts";
import { componentStarter, constantStarter, extensionStarter, typeStarter } from "./add/starters.ts";
import { findType } from "./add/types.ts";
import { CommandError } from "./exit-codes.ts";
import { rootOf } from "./global-options.ts";
import { out } from "./terminal.ts";

const KINDS = ["type", "component", "attribute", "extension", "policy", "task"] as const;
type Kind = (typeof KINDS)[number];

export const configure = (command: Command): void => {
  command
    .addArgument(new Argument("<kind>", "what to add").choices(KINDS))
    .argument("<name>", "its name: `product`, `shared.price` for a component, `product.price` for an attribute")
    .option("--type <type>", "of an attribute: string, integer, boolean, ...", "string")
    .action(async (kind: Kind, name: string, { type }: { readonly type: string }, own: Command) => {
      const root = rootOf(own);
      const { generate } = await loadConfig(root);
      process.stdout.write(await add({ root, from: path.resolve(root, generate.from), type }, kind, name));
    });
};

interface Place {
  readonly root: string;
  /** The absolute path of the schema folder. */
  readonly from: string;
  /** The attribute's type. */
  readonly type: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const CAMEL = /^[a-z][A-Za-z0-9]*$/;

const refuse = (message: string): never => {
  throw new CommandError(message);
};

/** Splits a name with exactly one dot. */
const partsOf = (name: string, example: string): readonly [string, string] => {
  const [first = "", second = "", ...more] = name.split(".");
  return first === "" || second === "" || more.length > 0
    ? refuse(`"${name}" has to be two names with a point between them, such as ${example}.`)
    : [first, second];
};

const demand = (pattern: RegExp, name: string, example: string): string =>
  pattern.test(name) ? name : refuse(`"${name}" is no such name. One would be ${example}.`);

/** The name of a constant. */
const constantOf = (name: string, example: string): string =>
  isReservedWord(demand(CAMEL, name, example)) ? refuse(`"${name}" is a word of the language.`) : name;

const NEXT = "Next: cms generate, cms migrate";

/** The file to write, absolute, its text, and what to do with it. */
const starterOf = (kind: Exclude<Kind, "attribute">, name: string, { root, from }: Place) => {
  switch (kind) {
    case "type": {
      demand(KEBAB, name, "blog-post");
      if (GENERATED_FOLDERS.includes(name)) refuse(`"${name}" cannot be used: that folder has a purpose of its own.`);
      return { file: path.join(folderOfType(from, name), "schema.json"), text: typeStarter(name), hint: NEXT };
    }
    case "component": {
      const [category, own] = partsOf(name, "shared.price");
      const file = fileOfComponent(from, demand(KEBAB, category, "shared"), demand(KEBAB, own, "price"));
      return { file, text: componentStarter(own), hint: `Use it by { "type": "component", "component": "${name}" }.` };
    }
    case "extension": {
      const { folder, uid } = findType(root, from, name);
      return { file: path.join(folder, "extension.ts"), text: extensionStarter(uid), hint: "Next: cms generate" };
    }
    case "policy": {
      const file = path.join(root, "lib", "policies", `${constantOf(name, "isOwner")}.ts`);
      const hint = `Import it in an extension.ts: rest: { policies: { update: [${name}] } }.`;
      return { file, text: constantStarter(kind, name), hint };
    }
    case "task": {
      const file = path.join(root, "lib", "tasks", `${constantOf(name, "cleanUp")}.ts`);
      const app = path.relative(root, path.join(from, "app.ts"));
      return {
        file,
        text: constantStarter(kind, name),
        hint: `Import it in ${app}: defineApp({ tasks: { ${name} } }).`,
      };
    }
  }
};

/** Adds an attribute to the schema file of its type; returns what has changed. */
const addTo = async (name: string, { root, from, type }: Place): Promise<string> => {
  const [owner, own] = partsOf(name, "article.subtitle");
  const { schema } = findType(root, from, owner);
  if (schema === undefined) return refuse(`${owner} is part of the server, and takes no attributes.`);
  const file = path.relative(root, schema);
  await addAttribute(schema, { name: demand(CAMEL, own, "subtitle"), type, file });
  return `${out.yellow("~")} ${file} (${own})\n${NEXT}\n`;
};

const add = async (place: Place, kind: Kind, name: string): Promise<string> => {
  if (kind === "attribute") return addTo(name, place);
  const { file, text, hint } = starterOf(kind, name, place);
  const shown = path.relative(place.root, file);
  if (existsSync(file)) throw new CommandError(`${shown} is there already. Nothing was written.`);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
  return `${out.green("+")} ${shown}\n${hint}\n`;
};
