import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { text } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import type { Component } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { fieldLine } from "./field.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

const emitComponent = (component: Component, scope: FileScope): string => {
  const attributes = component.attributes.map((attribute) => ({ name: attribute.name, ...describe(attribute) }));
  const view = {
    source: sourceLine(component.file),
    interface: component.names.interface,
    componentFields: scope.type(modules.contentType, "ComponentFields"),
    fields: attributes.map(({ name, document }) => fieldLine(name, document(scope))),
    typeConst: component.names.typeConst,
    defineComponent: scope.value(modules.contentType, "defineComponent"),
    properties: [
      memberLine(["uid", text(component.uid)], 2),
      memberLine(["displayName", text(component.displayName)], 2),
    ],
    attributes: attributes.map(({ name, descriptor }) => memberLine([name, descriptor(undefined, scope)], 4)),
    validatorConst: component.names.validatorConst,
    validator: scope.value(modules.validators, "validator"),
    validators: attributes.map(({ name, validator }) => memberLine([name, validator(scope)], 2)),
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
