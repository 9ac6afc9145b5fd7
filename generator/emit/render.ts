/** Handlebars, so set up that a name which the view model lacks is an error and text is never escaped as HTML. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Handlebars, { type HelperOptions } from "handlebars";

const folder = new URL("templates/", import.meta.resolve("galley-cms/package.json"));

const read = (name: string): string => readFileSync(fileURLToPath(new URL(`${name}.hbs`, folder)), "utf8");

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
environment.registerPartial("header", read("partials/header"));

const compiled = new Map<string, Handlebars.TemplateDelegate>();

const templateOf = (name: string): Handlebars.TemplateDelegate => {
  const template = compiled.get(name) ?? environment.compile(read(name), { strict: true, noEscape: true });
  compiled.set(name, template);
  return template;
};

/** Fills `templates/<name>.hbs` with a view model: ready text and booleans, by the names that the template uses. */
export const render = (name: string, view: Readonly<Record<string, unknown>>): string => {
  try {
    return templateOf(name)(view);
  } catch (error) {
    throw new Error(`templates/${name}.hbs cannot be rendered`, { cause: error });
  }
};
