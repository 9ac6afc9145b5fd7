import { describe } from "../attributes/catalogue.ts";
import { modules } from "../attributes/entry.ts";
import { call, object, text } from "../attributes/expression.ts";
import { stringLiteral } from "../attributes/literal.ts";
import { memberLine } from "../attributes/print.ts";
import type { Attribute, Component, ContentType } from "../model/model.ts";
import type { Emitter } from "./emitter.ts";
import { render } from "./render.ts";
import { type FileScope, fileScope } from "./scope.ts";
import { sourceLine } from "./source.ts";

/** Attributes with other names are left to REST. */
const isGraphqlName = (name: string): boolean => /^[_A-Za-z]\w*$/.test(name) && !name.startsWith("__");

const fieldLines = (attributes: readonly Attribute[], scope: FileScope): readonly string[] =>
  attributes.flatMap((attribute) => {
    const expression = isGraphqlName(attribute.name) ? describe(attribute).graphql(scope) : undefined;
    return expression ? [memberLine([attribute.name, expression], 6)] : [];
  });

/** Name of a root field, word of the content plugin, and the action of the type's controller that it takes. */
type Operation = readonly [name: string, word: string, action: string];

const operationLines = ({ uid, names }: ContentType, operations: readonly Operation[]): readonly string[] =>
  operations.map(([name, word, action]) =>
    memberLine([name, call(`t.${word}`, text(names.graphql), object([["can", text(`${uid}.${action}`)]]))], 4),
  );

const queriesOf = ({ kind, names: { graphqlOne, graphqlMany } }: ContentType): readonly Operation[] =>
  kind === "singleType"
    ? [[graphqlOne, "findSingle", "find"]]
    : [
        [graphqlOne, "findOne", "findOne"],
        [graphqlMany, "findMany", "find"],
        [`${graphqlMany}_connection`, "findConnection", "find"],
      ];

/** Users and roles are written by operations of the runtime's own. */
const mutationsOf = ({ uid, kind, localized, names: { graphql } }: ContentType): readonly Operation[] => {
  if (!uid.startsWith("api::")) return [];
  const localization: readonly Operation[] = localized
    ? [[`create${graphql}Localization`, "createLocalization", "update"]]
    : [];
  return kind === "singleType"
    ? [[`update${graphql}`, "updateSingle", "update"], [`delete${graphql}`, "removeSingle", "delete"], ...localization]
    : [
        [`create${graphql}`, "create", "create"],
        [`update${graphql}`, "update", "update"],
        [`delete${graphql}`, "remove", "delete"],
        ...localization,
      ];
};

interface Declared {
  readonly owner: ContentType | Component;
  /** The call that declares it, and the option that its descriptor is. */
  readonly declare: "contentType" | "component";
  readonly option: "type" | "component";
  /** Where its interface and descriptor are, below the output folder and without extension. */
  readonly interfaceFile: string;
  readonly descriptorFile: string;
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
}

const renderFile = (declared: Declared, scope: FileScope): string => {
  const { owner, declare, option, interfaceFile, descriptorFile, queries, mutations } = declared;
  const { file, names, attributes } = owner;
  const view = {
    source: sourceLine(file),
    constant: names.graphqlConst,
    builder: scope.type(modules.graphql, "Builder"),
    interface: scope.generatedType(interfaceFile, names.interface),
    name: names.graphql,
    nameLiteral: stringLiteral(names.graphql),
    declare,
    option,
    descriptor: scope.generatedValue(descriptorFile, names.typeConst),
    fields: fieldLines(attributes, scope),
    queries,
    mutations,
  };
  return render("graphql.ts", { ...view, imports: scope.imports.toString() });
};

/** `<type>/graphql.ts` and `components/<category>/<name>.graphql.ts`: calls on a builder of Pothos. */
export const emitGraphql: Emitter = ({ model, index }) => [
  ...model.contentTypes.map((type) => {
    const { folder, graphqlConst } = type.names;
    const path = `${folder}/graphql.ts`;
    const declared: Declared = {
      owner: type,
      declare: "contentType",
      option: "type",
      interfaceFile: `${folder}/document`,
      descriptorFile: `${folder}/type`,
      queries: operationLines(type, queriesOf(type)),
      mutations: operationLines(type, mutationsOf(type)),
    };
    return { path, text: renderFile(declared, fileScope(path, [graphqlConst], index)) };
  }),
  ...model.components.map((component) => {
    const { path: file, graphqlConst } = component.names;
    const path = `${file}.graphql.ts`;
    const declared: Declared = {
      owner: component,
      declare: "component",
      option: "component",
      interfaceFile: file,
      descriptorFile: file,
      queries: [],
      mutations: [],
    };
    return { path, text: renderFile(declared, fileScope(path, [graphqlConst], index)) };
  }),
];
