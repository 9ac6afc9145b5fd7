/** Handlebars, configured to throw on names missing in the view model, and not to escape texts as HTML. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Handlebars, { type HelperOptions } from "handlebars";
import type { AttributeView } from "../attributes/view.ts";
import type { Views } from "./views.ts";

const folder = fileURLToPath(new URL("templates/", import.meta.resolve("galley-cms/package.json")));
const OPTIONS: CompileOptions = { strict: true, noEscape: true, preventIndent: true };

const read = (name: string): string => readFileSync(`${folder}${name}.hbs`, "utf8");

/** The template names in a folder below `templates`. */
const namesIn = (below: string): readonly string[] =>
  readdirSync(`${folder}${below}`).map((file) => file.slice(0, -".hbs".length));

const known = (helper: string, value: unknown): unknown => {
  if (value === undefined) throw new Error(`{{#${helper}}} got a name that the view model does not have`);
  return value;
};

const environment = Handlebars.create();
const { if: standardIf, each: standardEach, unless: standardUnless } = environment.helpers;

for (const [name, helper] of Object.entries({ if: standardIf, each: standardEach, unless: standardUnless })) {
  environment.registerHelper(name, function (this: unknown, value: unknown, options: HelperOptions) {
    return helper?.call(this, known(name, value), options);
  });
}

/** `{{> (line "column")}}` inserts an attribute's line for its kind. */
environment.registerHelper("line", function (this: AttributeView, file: string) {
  return `${this.kind}/${file}`;
});

for (const name of namesIn("partials")) {
  environment.registerPartial(name, environment.compile(read(`partials/${name}`), OPTIONS));
}

/** Makes a template's inline partials available to all templates: `scalar/column`. */
const registerInline = (kind: string): void => {
  for (const statement of Handlebars.parse(read(`attributes/${kind}`)).body) {
    if (!isInline(statement)) continue;
    const [name] = statement.params;
    environment.registerPartial(`${kind}/${name.value}`, environment.compile(statement.program, OPTIONS));
  }
};

interface InlinePartial extends hbs.AST.DecoratorBlock {
  readonly params: [hbs.AST.StringLiteral];
}

const isInline = (statement: hbs.AST.Statement): statement is InlinePartial =>
  statement.type === "DecoratorBlock" && "params" in statement;

for (const kind of namesIn("attributes")) registerInline(kind);

const compiled = new Map<string, Handlebars.TemplateDelegate>();

const templateOf = (name: string): Handlebars.TemplateDelegate => {
  const template = compiled.get(name) ?? environment.compile(read(name), OPTIONS);
  compiled.set(name, template);
  return template;
};

/** Renders `templates/<name>.hbs` with its view model. */
export const render = <Name extends keyof Views>(name: Name, view: Views[Name]): string => {
  try {
    return templateOf(name)(view);
  } catch (error) {
    throw new Error(`templates/${name}.hbs cannot be rendered`, { cause: error });
  }
};
