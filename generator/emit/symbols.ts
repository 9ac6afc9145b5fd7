/** What generated files declare for each other. Names are unique in the model, so a name identifies its file. */
import type { Attribute, Component, ContentType, LinkStorage, Model } from "../model/model.ts";

export interface Symbol {
  /** The path of the declaring file, below the output folder. */
  readonly file: string;
  readonly isType: boolean;
}

/** The link table between versions and the attribute's targets; undefined if there is none. */
export const linkOf = (attribute: Attribute): LinkStorage | undefined =>
  "storage" in attribute && attribute.storage?.kind === "link" ? attribute.storage : undefined;

type Declaration = readonly [name: string, symbol: Symbol];

const inFile = (file: string, values: readonly string[], types: readonly string[] = []): readonly Declaration[] => [
  ...values.map((name) => [name, { file, isType: false }] as const),
  ...types.map((name) => [name, { file, isType: true }] as const),
];

const ofContentType = ({ names, attributes }: ContentType): readonly Declaration[] => {
  const links = attributes.flatMap((attribute) => linkOf(attribute)?.tableConst ?? []);
  return [
    ...inFile(`${names.folder}/table.ts`, [names.tableConst, ...links]),
    ...inFile(`${names.folder}/document.ts`, [], [names.interface]),
    ...inFile(`${names.folder}/type.ts`, [names.typeConst]),
    ...inFile(`${names.folder}/validator.ts`, [names.schemaConst, names.draftConst], [names.input]),
    ...inFile(`${names.folder}/rest.ts`, [names.routesConst]),
    ...inFile(`${names.folder}/graphql.ts`, [names.graphqlConst]),
  ];
};

const ofComponent = ({ names }: Component): readonly Declaration[] => {
  const schemas = [names.schemaConst, names.entryConst, names.draftConst, names.draftEntryConst];
  return [
    ...inFile(`${names.path}.ts`, [names.typeConst, ...schemas], [names.interface]),
    ...inFile(`${names.path}.graphql.ts`, [names.graphqlConst]),
  ];
};

export const symbolsOf = ({ contentTypes, components }: Model): ReadonlyMap<string, Symbol> =>
  new Map([...contentTypes.flatMap(ofContentType), ...components.flatMap(ofComponent)]);
