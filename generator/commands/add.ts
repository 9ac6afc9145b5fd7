/** `cms add`: starters of schema files and of code, written once. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Argument, type Command } from "commander";
import { applyEdits, modify, parse } from "jsonc-parser";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { componentStarter, extensionStarter, policyStarter, taskStarter, typeStarter } from "./add/starters.ts";
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
  /** The folder of the schema files. */
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

/** Writes a file that is not there yet. */
const write = async ({ root }: Place, file: string, text: string): Promise<string> => {
  const whole = path.join(root, file);
  if (existsSync(whole)) throw new CommandError(`${file} is there already. Nothing was written.`);
  await mkdir(path.dirname(whole), { recursive: true });
  await writeFile(whole, text, { flag: "wx" });
  return `${out.green("+")} ${file}\n`;
};

const singularOf = async ({ root, from }: Place, folder: string): Promise<string> => {
  const file = path.join(root, from, folder, "schema.json");
  if (!existsSync(file))
    throw new CommandError(`${path.join(from, folder, "schema.json")} is missing: is that the folder of a type?`);
  const schema: unknown = parse(await readFile(file, "utf8"));
  const name: unknown = Object(Object(schema).info).singularName;
  return typeof name === "string" ? name : folder;
};

/** Adds an attribute to a schema file, whose formatting stays. */
const addAttribute = async (place: Place, owner: string, name: string): Promise<string> => {
  const file = path.join(place.from, owner, "schema.json");
  const whole = path.join(place.root, file);
  if (!existsSync(whole)) throw new CommandError(`${file} is missing: there is no type in ${owner}.`);
  const text = await readFile(whole, "utf8");
  const schema: unknown = parse(text);
  if (Object.hasOwn(Object(Object(schema).attributes), name)) throw new CommandError(`${file} has "${name}" already.`);
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const edits = modify(text, ["attributes", name], { type: place.type }, { formattingOptions });
  await writeFile(whole, applyEdits(text, edits));
  return `${out.yellow("~")} ${file} (${name})\n`;
};

const say = (text: string, hint: string): string => `${text}\n${hint}\n`;

const add = async (place: Place, kind: Kind, name: string): Promise<string> => {
  switch (kind) {
    case "type": {
      demand(KEBAB, name, "blog-post");
      const written = await write(place, path.join(place.from, name, "schema.json"), typeStarter(name));
      return say(written, "Next: cms generate, cms migrate");
    }
    case "component": {
      const [category, own] = partsOf(name, "shared.price");
      const file = path.join(
        place.from,
        "components",
        demand(KEBAB, category, "shared"),
        `${demand(KEBAB, own, "price")}.json`,
      );
      return say(
        await write(place, file, componentStarter(own)),
        `Use it by { "type": "component", "component": "${name}" }.`,
      );
    }
    case "attribute": {
      const [owner, own] = partsOf(name, "article.subtitle");
      return say(await addAttribute(place, owner, demand(CAMEL, own, "subtitle")), "Next: cms generate, cms migrate");
    }
    case "extension": {
      const singular = await singularOf(place, name);
      const written = await write(place, path.join(place.from, name, "extension.ts"), extensionStarter(singular));
      return say(written, "Next: cms generate");
    }
    case "policy":
      demand(CAMEL, name, "isOwner");
      return say(
        await write(place, path.join("lib", "policies", `${name}.ts`), policyStarter(name)),
        `Import it in an extension.ts: rest: { policies: { update: [${name}] } }.`,
      );
    case "task":
      demand(CAMEL, name, "cleanUp");
      return say(
        await write(place, path.join("lib", "tasks", `${name}.ts`), taskStarter(name)),
        `Import it in ${path.join(place.from, "app.ts")}: defineApp({ tasks: { ${name} } }).`,
      );
  }
};
