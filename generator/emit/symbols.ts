/** What generated files declare for one another. The model gives each name once, so that a name tells its file. */
import type { Component, ContentType, Model } from "../model/model.ts";

export interface Symbol {
  /** Path of the file that declares it, below the output folder. */
  readonly file: string;
  readonly isType: boolean;
}

type Declaration = readonly [name: string, symbol: Symbol];

const value = (name: string, file: string): Declaration => [name, { file: `${file}.ts`, isType: false }];
const type = (name: string, file: string): Declaration => [name, { file: `${file}.ts`, isType: true }];

const ofContentType = ({ names, attributes }: ContentType): readonly Declaration[] => [
  value(names.tableConst, `${names.folder}/table`),
  ...attributes.flatMap((attribute) =>
    "storage" in attribute && attribute.storage?.kind === "link"
      ? [value(attribute.storage.tableConst, `${names.folder}/table`)]
      : [],
  ),
  type(names.interface, `${names.folder}/document`),
  value(names.typeConst, `${names.folder}/type`),
  value(names.schemaConst, `${names.folder}/validator`),
  value(names.draftConst, `${names.folder}/validator`),
  type(names.input, `${names.folder}/validator`),
  value(names.routesConst, `${names.folder}/rest`),
  value(names.graphqlConst, `${names.folder}/graphql`),
];

const ofComponent = ({ names }: Component): readonly Declaration[] => [
  type(names.interface, names.path),
  value(names.typeConst, names.path),
  value(names.schemaConst, names.path),
  value(names.entryConst, names.path),
  value(names.draftConst, names.path),
  value(names.draftEntryConst, names.path),
  value(names.graphqlConst, `${names.path}.graphql`),
];

export const symbolsOf = ({ contentTypes, components }: Model): ReadonlyMap<string, Symbol> =>
  new Map([...contentTypes.flatMap(ofContentType), ...components.flatMap(ofComponent)]);
