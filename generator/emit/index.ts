import { code, object } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import type { Component, ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { hasRoutes } from "./rest.ts";
import { type FileScope, fileScope } from "./scope.ts";

const typeLine = (type: ContentType, scope: FileScope): string => {
  const { folder, typeConst, schemaConst, routesConst, graphqlConst } = type.names;
  const module = object([
    ["type", code(scope.generatedValue(`${folder}/type`, typeConst))],
    ["validator", code(scope.generatedValue(`${folder}/validator`, schemaConst))],
    ["graphql", code(scope.generatedValue(`${folder}/graphql`, graphqlConst))],
    ["routes", hasRoutes(type) ? code(scope.generatedValue(`${folder}/rest`, routesConst)) : undefined],
  ]);
  return memberLine([type.uid, module], 4);
};

const componentLine = ({ uid, names }: Component, scope: FileScope): string => {
  const module = object([
    ["component", code(scope.generatedValue(names.path, names.typeConst))],
    ["validator", code(scope.generatedValue(names.path, names.schemaConst))],
    ["graphql", code(scope.generatedValue(`${names.path}.graphql`, names.graphqlConst))],
  ]);
  return memberLine([uid, module], 4);
};

/** `index.ts`: everything that the application declares, by uid. */
export const emitIndex: Emitter = ({ model, index }) => {
  const scope = fileScope("index.ts", [], index);
  // First, so that they keep their names: the template writes them as shorthand properties.
  scope.generatedValue("extensions", "extensions");
  scope.generatedValue("extensions", "app");
  const view = {
    defineApplication: scope.value("galley-cms/application", "defineApplication"),
    contentTypes: model.contentTypes.map((type) => typeLine(type, scope)),
    components: model.components.map((component) => componentLine(component, scope)),
  };
  return [{ path: "index.ts", text: render("index.ts", { ...view, imports: scope.imports.toString() }) }];
};
