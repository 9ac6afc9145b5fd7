import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { code, text } from "../attributes/expression.ts";
import { memberLine } from "../attributes/print.ts";
import type { Attribute, Component, ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

/** Attributes with other names are left to REST. */
const isGraphqlName = (name: string): boolean => /^[_A-Za-z]\w*$/.test(name) && !name.startsWith("__");

const fieldsOf = (attributes: readonly Attribute[], scope: FileScope): readonly string[] =>
  attributes.flatMap((attribute) => {
    const expression = isGraphqlName(attribute.name) ? describe(attribute).graphql(scope) : undefined;
    return expression ? [memberLine([attribute.name, expression], 4)] : [];
  });

const emitType = ({ file, names, attributes }: ContentType, scope: FileScope): string => {
  const descriptor = scope.generatedValue(`${names.folder}/type`, names.typeConst);
  const view = {
    source: sourceLine(file),
    name: names.graphql,
    declaration: scope.type(modules.graphql, "TypeDeclaration"),
    define: scope.value(modules.graphql, "objectType"),
    properties: [
      memberLine(["name", text(names.graphql)], 2),
      memberLine(["one", text(names.graphqlOne)], 2),
      memberLine(["many", text(names.graphqlMany)], 2),
      memberLine(["type", code(descriptor)], 2),
    ],
    fields: fieldsOf(attributes, scope),
  };
  return render("graphql.ts", { ...view, imports: scope.imports.toString() });
};

const emitComponent = ({ file, names, attributes }: Component, scope: FileScope): string => {
  const view = {
    source: sourceLine(file),
    name: names.graphql,
    declaration: scope.type(modules.graphql, "ComponentDeclaration"),
    define: scope.value(modules.graphql, "componentType"),
    properties: [
      memberLine(["name", text(names.graphql)], 2),
      memberLine(["component", code(scope.generatedValue(names.path, names.typeConst))], 2),
    ],
    fields: fieldsOf(attributes, scope),
  };
  return render("graphql.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/graphql.ts` and `components/<category>/<name>.graphql.ts`: the names and kinds of GraphQL fields. */
export const emitGraphql: Emitter = ({ model, index }) => [
  ...model.contentTypes.map((type) => {
    const path = `${type.names.folder}/graphql.ts`;
    return { path, text: emitType(type, fileScope(path, [type.names.graphql], index)) };
  }),
  ...model.components.map((component) => {
    const path = `${component.names.path}.graphql.ts`;
    return { path, text: emitComponent(component, fileScope(path, [component.names.graphql], index)) };
  }),
];
