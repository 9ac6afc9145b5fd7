/** Gives every content type and component its derived names, each distinct, and reports clashes that no name can cure. */
import { identifier } from "../../runtime/base/identifier.ts";
import { problems } from "../diagnostics/codes.ts";
import { diagnose } from "../diagnostics/diagnostic.ts";
import type { ComponentNames, ContentTypeNames } from "./model.ts";
import { camelCase, isReservedWord, lowerFirst, parseUid, pascalCase, snakeCase, upperFirst } from "./names.ts";
import { Namespace } from "./namespace.ts";
import { type Prepared, type PreparedComponent, type PreparedType, type Report, valueIn } from "./prepared.ts";
import { ADDED_TO, GLOBALS, GRAPHQL_QUERIES, GRAPHQL_TYPES, IN_TEMPLATES, SYSTEM_TABLES } from "./reserved.ts";

export interface Names {
  readonly contentTypes: ReadonlyMap<PreparedType, ContentTypeNames>;
  readonly components: ReadonlyMap<PreparedComponent, ComponentNames>;
  /** Database tables; link tables are still to come. */
  readonly tables: Namespace;
  /** Constants and interfaces of the generated files. */
  readonly constants: Namespace;
}

class ConstantNames extends Namespace {
  /** Also passes over what no constant can be called. */
  override has(name: string): boolean {
    return isReservedWord(name) || super.has(name);
  }
}

/** What GraphQL types that are made from the type of a content type end in. */
export const DERIVED = [
  "Entity",
  "EntityResponse",
  "EntityResponseCollection",
  "RelationResponseCollection",
  "Input",
  "FiltersInput",
];

const nameOf = ({ uid, schema }: PreparedType, key: "singularName" | "pluralName"): string => {
  const { plugin, owner } = parseUid(uid);
  return camelCase((plugin ? `${owner}-` : "") + schema.info[key]);
};

/** Names of GraphQL types that no content type can have: built-in ones, and those made from other content types. */
const reservedGraphqlNames = (types: readonly PreparedType[]): Set<string> => {
  const bases = types.map((type) => upperFirst(nameOf(type, "singularName")));
  return new Set([...GRAPHQL_TYPES, ...bases.flatMap((base) => DERIVED.map((suffix) => base + suffix))]);
};

class Assignment {
  readonly tables = new Namespace(SYSTEM_TABLES);
  readonly constants = new ConstantNames([...GLOBALS, ...ADDED_TO, ...IN_TEMPLATES]);
  readonly #graphql: Namespace;
  readonly #queries = new Namespace(GRAPHQL_QUERIES);
  readonly #report: Report;

  constructor(types: readonly PreparedType[], report: Report) {
    this.#graphql = new Namespace(reservedGraphqlNames(types));
    this.#report = report;
  }

  contentType(type: PreparedType): ContentTypeNames {
    const { singularName, pluralName } = type.schema.info;
    const { plugin, owner } = parseUid(type.uid);
    const one = nameOf(type, "singularName");
    const typeConst = this.constants.take(one, `${one}Type`);
    const base = upperFirst(one);
    const name = this.constants.take(base, `${base}Document`);
    const graphql = this.#graphqlType(type, base);
    const many = nameOf(type, "pluralName");
    const collection = type.schema.collectionName ?? snakeCase((plugin ? `${owner}_` : "") + pluralName);
    const tableConst = this.constants.take(camelCase(collection), `${camelCase(collection)}Table`);
    return {
      folder: plugin ? `${owner}/${singularName}` : singularName,
      table: this.#table(identifier(collection)),
      tableConst,
      relationsConst: this.constants.take(`${tableConst}Relations`),
      typeConst,
      interface: name,
      graphql,
      graphqlOne: this.#queries.take(one, `${one}Type`),
      graphqlMany: this.#queries.take(many, `${many}Type`),
      schemaConst: this.constants.take(`${one}Schema`),
      draftConst: this.constants.take(`${one}Draft`),
      input: this.constants.take(`${name}Input`),
      routesConst: this.constants.take(`${one}Routes`),
      graphqlConst: this.constants.take(`${one}Graphql`),
      extensionConst: this.constants.take(`${one}Extension`),
    };
  }

  /** A table that the runtime has already is kept apart by a prefix. */
  #table(name: string): string {
    return this.tables.take(name, identifier("content", name));
  }

  #graphqlType(type: PreparedType, base: string): string {
    const name = this.#graphql.take(base, `${base}Type`);
    if (name !== base)
      this.#report(
        diagnose(problems.graphqlName, valueIn(type, "info", "singularName"), { name: base, instead: name }),
      );
    return name;
  }

  component(component: PreparedComponent): ComponentNames {
    const { category, name } = component;
    const base = pascalCase(category) + pascalCase(name);
    const wanted = `Component${base}`;
    const graphql = this.#graphql.take(wanted);
    if (graphql !== wanted)
      this.#report(diagnose(problems.graphqlName, valueIn(component), { name: wanted, instead: graphql }));
    const type = this.constants.take(base, `Component${base}`);
    const constant = lowerFirst(type);
    return {
      path: `components/${category}/${name}`,
      interface: type,
      typeConst: this.constants.take(constant, `component${base}`),
      schemaConst: this.constants.take(`${constant}Schema`),
      entryConst: this.constants.take(`${constant}Entry`),
      draftConst: this.constants.take(`${constant}Draft`),
      draftEntryConst: this.constants.take(`${constant}DraftEntry`),
      graphql,
      graphqlConst: this.constants.take(`${constant}Graphql`),
    };
  }
}

/** Names the types and components, content types first, each kind in the order of uids. */
export const assignNames = ({ contentTypes, components }: Prepared, report: Report): Names => {
  const assignment = new Assignment(contentTypes, report);
  return {
    contentTypes: new Map(contentTypes.map((type) => [type, assignment.contentType(type)])),
    components: new Map(components.map((component) => [component, assignment.component(component)])),
    tables: assignment.tables,
    constants: assignment.constants,
  };
};
