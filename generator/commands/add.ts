/** `cms add`: starters of schema files and of code, written once. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Argument, type Command } from "commander";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { isReservedWord } from "../model/names.ts";
import { GENERATED_FOLDERS } from "../model/reserved.ts";
import { fileOfComponent, folderOfType } from "../schema/find.ts";
import { addAttribute } from "./add/attribute.ts";
import { componentStarter, extensionStarter, policyStarter, taskStarter, typeStarter } from "./add/starters.ts";
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
      process.stdout.write(await add({ root, from: generate.from, type }, kind, name));
    });
};

interface Place {
  readonly root: string;
  /** The folder of the schema files, as the configuration names it. */
  readonly from: string;
  /** Of an attribute. */
  readonly type: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const CAMEL = /^[a-z][A-Za-z0-9]*$/;

const refuse = (message: string): never => {
  throw new CommandError(message);
};

/** The parts of a name that has one point. */
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

/** Writes a file that is not there yet. */
const write = async ({ root }: Place, whole: string, text: string): Promise<string> => {
  const file = path.relative(root, whole);
  if (existsSync(whole)) throw new CommandError(`${file} is there already. Nothing was written.`);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, text, { flag: "wx" });
  return `${out.green("+")} ${file}\n`;
};

const say = (text: string, hint: string): string => `${text}\n${hint}\n`;

const addType = async (place: Place, from: string, name: string): Promise<string> => {
  demand(KEBAB, name, "blog-post");
  if (GENERATED_FOLDERS.includes(name)) refuse(`"${name}" cannot be used: that folder has a purpose of its own.`);
  const file = path.join(folderOfType(from, name), "schema.json");
  return say(await write(place, file, typeStarter(name)), "Next: cms generate, cms migrate");
};

const addComponent = async (place: Place, from: string, name: string): Promise<string> => {
  const [category, own] = partsOf(name, "shared.price");
  const file = fileOfComponent(from, demand(KEBAB, category, "shared"), demand(KEBAB, own, "price"));
  const written = await write(place, file, componentStarter(own));
  return say(written, `Use it by { "type": "component", "component": "${name}" }.`);
};

const add = async (place: Place, kind: Kind, name: string): Promise<string> => {
  const { root, type } = place;
  const from = path.resolve(root, place.from);
  switch (kind) {
    case "type":
      return addType(place, from, name);
    case "component":
      return addComponent(place, from, name);
    case "attribute": {
      const [owner, own] = partsOf(name, "article.subtitle");
      const { schema } = findType(root, from, owner);
      if (schema === undefined) return refuse(`${owner} is part of the server, and takes no attributes.`);
      await addAttribute(schema, { name: demand(CAMEL, own, "subtitle"), type, file: path.relative(root, schema) });
      const changed = `${out.yellow("~")} ${path.relative(root, schema)} (${own})\n`;
      return say(changed, "Next: cms generate, cms migrate");
    }
    case "extension": {
      const { folder, uid } = findType(root, from, name);
      return say(await write(place, path.join(folder, "extension.ts"), extensionStarter(uid)), "Next: cms generate");
    }
    case "policy": {
      const file = path.join(root, "lib", "policies", `${constantOf(name, "isOwner")}.ts`);
      const written = await write(place, file, policyStarter(name));
      return say(written, `Import it in an extension.ts: rest: { policies: { update: [${name}] } }.`);
    }
    case "task": {
      const file = path.join(root, "lib", "tasks", `${constantOf(name, "cleanUp")}.ts`);
      const written = await write(place, file, taskStarter(name));
      return say(written, `Import it in ${path.join(place.from, "app.ts")}: defineApp({ tasks: { ${name} } }).`);
    }
  }
};
