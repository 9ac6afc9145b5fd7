/** Handlebars, configured to throw on names missing in the view model. */
import type { HelperOptions } from "handlebars";
import Handlebars from "handlebars/runtime.js";
import type { AttributeView } from "../attributes/catalogue.ts";
import { partials, templates } from "./templates.ts";

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

for (const [name, partial] of Object.entries(partials))
  environment.registerPartial(name, environment.template(partial));

/** Renders `templates/<name>.hbs` with its view model. */
export const render = (name: string, view: object): string => {
  try {
    return environment.template(templates[name] ?? {})(view);
  } catch (error) {
    throw new Error(`templates/${name}.hbs cannot be rendered`, { cause: error });
  }
};
