import { describe } from "../attributes/catalogue.ts";
import { zod } from "../attributes/common.ts";
import { modules } from "../attributes/entry.ts";
import { code, expanded, object, text, chained } from "../attributes/expression.ts";
import { printExpression } from "../attributes/print.ts";
import type { Component, Model } from "../model/model.ts";
import { declaration } from "./declaration.ts";
import type { Emitter } from "./emitter.ts";
import { fieldLine } from "./field.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";
import { schemaDeclaration } from "./validator.ts";

/** The schema of an entry in a zone: the component's, and its name. */
const entryText = ({ uid, names: { schemaConst, entryConst } }: Component, scope: FileScope): string => {
  const members = object([["__component", zod(scope, "literal", text(uid))]]);
  const column = `export const ${entryConst} = `.length;
  return printExpression(chained(code(schemaConst), "extend", members), { indent: 0, column, after: 1 });
};

const emitComponent = (component: Component, scope: FileScope, isInZone: boolean): string => {
  const attributes = component.attributes.map((attribute) => ({ name: attribute.name, ...describe(attribute) }));
  const { interface: name, typeConst, schemaConst, entryConst } = component.names;
  const define = scope.value(modules.contentType, "defineComponent");
  const view = {
    source: sourceLine(component.file),
    interface: name,
    componentFields: scope.type(modules.document, "ComponentFields"),
    fields: attributes.map(({ name, document }) => fieldLine(name, document(scope))),
    typeConst,
    component: declaration(typeConst, `${define}<${name}>`, [
      ["uid", text(component.uid)],
      ["attributes", expanded(attributes.map(({ name, descriptor }) => [name, descriptor(undefined, scope)]))],
    ]),
    schemaConst,
    schema: schemaDeclaration(
      { attributes: component.attributes, schemaConst },
      scope,
      scope.value(modules.validators, "entryFields"),
    ),
    entryConst,
    entry: isInZone && entryText(component, scope),
  };
  return render("component.ts", { ...view, imports: scope.imports.toString() });
};

/** The components that some dynamic zone lists. */
const inZones = ({ contentTypes, components }: Model): ReadonlySet<string> =>
  new Set(
    [...contentTypes, ...components].flatMap(({ attributes }) =>
      attributes.flatMap((attribute) => (attribute.kind === "dynamiczone" ? attribute.components : [])),
    ),
  );

/** `components/<category>/<name>.ts`: the interface, descriptor and Zod schema of a component. */
export const emitComponents: Emitter = ({ model, index }) => {
  const listed = inZones(model);
  return model.components.map((component) => {
    const { path, interface: name, typeConst, schemaConst, entryConst } = component.names;
    const file = `${path}.ts`;
    const isInZone = listed.has(component.uid);
    const scope = fileScope(file, [name, typeConst, schemaConst, ...(isInZone ? [entryConst] : [])], index);
    return { path: file, text: emitComponent(component, scope, isInZone) };
  });
};
