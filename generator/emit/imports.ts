/** The import block of one generated file: what was used, under which name, sorted. */
import path from "node:path";
import { LINE_WIDTH } from "../attributes/text-width.ts";

interface Import {
  readonly module: string;
  readonly name: string;
  readonly local: string;
  isType: boolean;
}

const byCodeUnit = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Packages come before the own files, and those of folders further up before nearer ones. */
const rank = (module: string): number => (module.startsWith("../") ? 1 : module.startsWith("./") ? 2 : 0);

const byModule = (left: string, right: string): number => rank(left) - rank(right) || byCodeUnit(left, right);

const byName = (left: Import, right: Import): number =>
  byCodeUnit(left.name.toLowerCase(), right.name.toLowerCase()) || byCodeUnit(left.name, right.name);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `galley-cms/content-type` + `File` -> `ContentTypeFile`; `drizzle-orm/pg-core` + `json` -> `pgCoreJson`. */
const qualified = (module: string, name: string): string => {
  const [first = "", ...others] = path.posix.basename(module, ".ts").split(/[^A-Za-z0-9]+/);
  const prefix = [first, ...others.map(capitalized)].join("");
  return (/^[A-Z]/.test(name) ? capitalized(prefix) : prefix) + capitalized(name);
};

const specifier = ({ name, local, isType }: Import, allTypes: boolean): string =>
  `${isType && !allTypes ? "type " : ""}${name}${local === name ? "" : ` as ${local}`}`;

const statement = (module: string, imports: readonly Import[]): string => {
  const allTypes = imports.every(({ isType }) => isType);
  const head = allTypes ? "import type" : "import";
  const specifiers = imports.toSorted(byName).map((one) => specifier(one, allTypes));
  const line = `${head} { ${specifiers.join(", ")} } from "${module}";`;
  // A single name has nothing to be broken over lines for.
  if (line.length <= LINE_WIDTH || specifiers.length === 1) return line;
  return `${head} {\n${specifiers.map((one) => `  ${one},\n`).join("")}} from "${module}";`;
};

export class Imports {
  readonly #folder: string;
  readonly #imports = new Map<string, Import>();
  readonly #taken: Set<string>;

  /**
   * @param file The importing file below the output folder, such as `article/type.ts`.
   * @param declared Names that the file declares itself; imports of the same name get another one.
   */
  constructor(file: string, declared: readonly string[]) {
    this.#folder = path.posix.dirname(file);
    this.#taken = new Set(declared);
  }

  /** Imports a value; returns the name to write. */
  value(module: string, name: string): string {
    return this.#add(module, name, false);
  }

  /** Imports a type; returns the name to write. */
  type(module: string, name: string): string {
    return this.#add(module, name, true);
  }

  /** The specifier of a file below the output folder, given without its extension. */
  module(file: string): string {
    const relative = path.posix.relative(this.#folder, `${file}.ts`);
    return relative.startsWith("../") ? relative : `./${relative}`;
  }

  /** The import statements, one a line or longer; each ends with a newline. */
  toString(): string {
    const modules = new Map<string, Import[]>();
    for (const one of this.#imports.values()) {
      const known = modules.get(one.module);
      if (known) known.push(one);
      else modules.set(one.module, [one]);
    }
    return [...modules]
      .toSorted(([left], [right]) => byModule(left, right))
      .map(([module, imports]) => `${statement(module, imports)}\n`)
      .join("");
  }

  #add(module: string, name: string, isType: boolean): string {
    const key = `${module}\n${name}`;
    const known = this.#imports.get(key);
    if (known !== undefined) {
      known.isType &&= isType;
      return known.local;
    }
    const local = this.#free(module, name);
    this.#taken.add(local);
    this.#imports.set(key, { module, name, local, isType });
    return local;
  }

  #free(module: string, name: string): string {
    if (!this.#taken.has(name)) return name;
    const base = qualified(module, name);
    let local = base;
    for (let number = 2; this.#taken.has(local); number++) local = `${base}${number}`;
    return local;
  }
}
