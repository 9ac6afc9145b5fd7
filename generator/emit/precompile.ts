/** Compiles the templates. The build does so once and for all; where sources run, each process does. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";

const folder = fileURLToPath(new URL("templates/", import.meta.resolve("galley-cms/package.json")));

/** Names missing in the view model are errors, and texts are not escaped as HTML. */
const compile = (template: string | hbs.AST.Program): string =>
  String(Handlebars.precompile(template, { strict: true, noEscape: true, preventIndent: true }));

const read = (name: string): string => readFileSync(`${folder}${name}.hbs`, "utf8");

/** The template names in a folder below `templates`. */
const namesIn = (below: string): readonly string[] =>
  readdirSync(`${folder}${below}`).flatMap((file) => (file.endsWith(".hbs") ? file.slice(0, -".hbs".length) : []));

interface InlinePartial extends hbs.AST.DecoratorBlock {
  readonly params: [hbs.AST.StringLiteral];
}

const isInline = (statement: hbs.AST.Statement): statement is InlinePartial =>
  statement.type === "DecoratorBlock" && "params" in statement;

type Compiled = readonly [name: string, code: string];

/** The inline partials of an attribute's template, for all templates: `scalar/column`. */
const inlineOf = (kind: string): readonly Compiled[] =>
  Handlebars.parse(read(`attributes/${kind}`))
    .body.filter(isInline)
    .map(({ params: [name], program }) => [`${kind}/${name.value}`, compile(program)]);

const record = (entries: readonly Compiled[]): string =>
  `{${entries.map(([name, code]) => `${JSON.stringify(name)}: ${code}`).join(",\n")}}`;

/** A module that exports `templates` and `partials`, by name. */
export const precompiledTemplates = (): string => {
  const templates = namesIn("").map((name): Compiled => [name, compile(read(name))]);
  const partials = namesIn("partials").map((name): Compiled => [name, compile(read(`partials/${name}`))]);
  const inline = namesIn("attributes").flatMap(inlineOf);
  return `export const templates = ${record(templates)};\nexport const partials = ${record([...partials, ...inline])};\n`;
};
