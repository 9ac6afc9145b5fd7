import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { expanded, text } from "../attributes/expression.ts";
import type { Component } from "../model/model.ts";
import { declaration } from "./declaration.ts";
import type { Emitter } from "./emitter.ts";
import { fieldLine } from "./field.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitComponent = (component: Component, scope: FileScope): string => {
  const attributes = component.attributes.map((attribute) => ({ name: attribute.name, ...describe(attribute) }));
  const { interface: name, typeConst, validatorConst } = component.names;
  const define = scope.value(modules.contentType, "defineComponent");
  const make = scope.value(modules.validators, "validator");
  const view = {
    source: sourceLine(component.file),
    interface: name,
    componentFields: scope.type(modules.contentType, "ComponentFields"),
    fields: attributes.map(({ name, document }) => fieldLine(name, document(scope))),
    typeConst,
    define,
    component: declaration(typeConst, `${define}<${name}>`, [
      ["uid", text(component.uid)],
      ["displayName", text(component.displayName)],
      ["attributes", expanded(attributes.map(({ name, descriptor }) => [name, descriptor(undefined, scope)]))],
    ]),
    validatorConst,
    make,
    validator: declaration(
      validatorConst,
      make,
      attributes.map(({ name, validator }) => [name, validator(scope)]),
    ),
  };
  return render("component.ts", { ...view, imports: scope.imports.toString() });
};

/** `components/<category>/<name>.ts`: the interface, descriptor and validator of a component. */
export const emitComponents: Emitter = ({ model, index }) =>
  model.components.map((component) => {
    const { path, interface: name, typeConst, validatorConst } = component.names;
    const file = `${path}.ts`;
    return { path: file, text: emitComponent(component, fileScope(file, [name, typeConst, validatorConst], index)) };
  });
