import { stringLiteral } from "../attributes/literal.ts";
import type { Model } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { sourceLine } from "./source.ts";
import { isConditional } from "./validator.ts";

/** The components that some dynamic zone lists. */
const inZones = ({ contentTypes, components }: Model): ReadonlySet<string> =>
  new Set(
    [...contentTypes, ...components].flatMap(({ attributes }) =>
      attributes.flatMap((attribute) => (attribute.kind === "dynamiczone" ? attribute.components : [])),
    ),
  );

/** `components/<category>/<name>.ts`: the interface, descriptor and Zod schema of a component. */
export const emitComponents: Emitter = ({ model, attributesOf }) => {
  const listed = inZones(model);
  return model.components.map((component) => ({
    path: `${component.names.path}.ts`,
    text: render("component.ts", {
      ...component.names,
      source: sourceLine(component.file),
      uid: stringLiteral(component.uid),
      tableConst: "",
      conditional: isConditional(component.attributes),
      inZone: listed.has(component.uid),
      attributes: attributesOf(component),
    }),
  }));
};
