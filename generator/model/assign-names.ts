/**
 * Assigns each content type and component its unique derived names, and reports clashes that no other name can resolve.
 */
import { identifier } from "../../runtime/base/identifier.ts";
import { problems } from "../diagnostics/codes.ts";
import type { Report } from "../diagnostics/diagnostic.ts";
import { camelCase, isReservedWord, lowerFirst, parseUid, pascalCase, snakeCase, upperFirst } from "./names.ts";
import { Namespace } from "./namespace.ts";
import { type Prepared, type PreparedComponent, type PreparedType, valueIn } from "./prepared.ts";
import { ADDED_TO, GLOBALS, GRAPHQL_QUERIES, GRAPHQL_TYPES, IN_TEMPLATES, SYSTEM_TABLES } from "./reserved.ts";

/** All names derived for a content type or component. */
export type ContentTypeNames = Readonly<ReturnType<Assignment["contentType"]>>;
export type ComponentNames = Readonly<ReturnType<Assignment["component"]>>;

export interface Names {
  readonly contentTypes: ReadonlyMap<PreparedType, ContentTypeNames>;
  readonly components: ReadonlyMap<PreparedComponent, ComponentNames>;
  /** Database tables; link tables follow later. */
  readonly tables: Namespace;
  /** Constants and interfaces in generated files. */
  readonly constants: Namespace;
}

class ConstantNames extends Namespace {
  /** Also skips names that a constant cannot have. */
  override has(name: string): boolean {
    return isReservedWord(name) || super.has(name);
  }
}

/** Suffixes of GraphQL types derived from a content type's. */
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

/** GraphQL type names that no content type can have: built-in ones, and those derived from other content types. */
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

  contentType(type: PreparedType) {
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
      /** Folder below `generated/`: `article`, `users-permissions/user`. */
      folder: plugin ? `${owner}/${singularName}` : singularName,
      /** Name of the table in the database. */
      table: this.#table(identifier(collection)),
      /** The Drizzle table: `articles`. */
      tableConst,
      /** Its relations: `articlesRelations`. */
      relationsConst: this.constants.take(`${tableConst}Relations`),
      /** The descriptor: `article`. */
      typeConst,
      /** The interface: `Article`. */
      interface: name,
      /** The GraphQL type: `Article`, `UsersPermissionsUser`. */
      graphql,
      /** The GraphQL fields that read one and several: `article`, `articles`. */
      graphqlOne: this.#queries.take(one, `${one}Type`),
      graphqlMany: this.#queries.take(many, `${many}Type`),
      /** The Zod schema: `articleSchema`. */
      schemaConst: this.constants.take(`${one}Schema`),
      /** The Zod schema of a draft: `articleDraft`. */
      draftConst: this.constants.take(`${one}Draft`),
      /** The type of what bodies hold: `ArticleInput`. */
      input: this.constants.take(`${name}Input`),
      /** `articleRoutes`. */
      routesConst: this.constants.take(`${one}Routes`),
      /** `articleGraphql`. */
      graphqlConst: this.constants.take(`${one}Graphql`),
      /** The name of its extension in `extensions.ts`: `articleExtension`. */
      extensionConst: this.constants.take(`${one}Extension`),
    };
  }

  /** A prefix distinguishes it from a runtime table of the same name. */
  #table(name: string): string {
    return this.tables.take(name, identifier("content", name));
  }

  #graphqlType(type: PreparedType, base: string): string {
    const name = this.#graphql.take(base, `${base}Type`);
    if (name !== base)
      this.#report(problems.graphqlName, valueIn(type, "info", "singularName"), { name: base, instead: name });
    return name;
  }

  component(component: PreparedComponent) {
    const { category, name } = component;
    const base = pascalCase(category) + pascalCase(name);
    const wanted = `Component${base}`;
    const graphql = this.#graphql.take(wanted);
    if (graphql !== wanted) this.#report(problems.graphqlName, valueIn(component), { name: wanted, instead: graphql });
    const type = this.constants.take(base, `Component${base}`);
    const constant = lowerFirst(type);
    return {
      /** Path below `generated/` without extension: `components/shared/seo`. */
      path: `components/${category}/${name}`,
      /** `SharedSeo`. */
      interface: type,
      /** `sharedSeo`. */
      typeConst: this.constants.take(constant, `component${base}`),
      /** The Zod schema of an entry: `sharedSeoSchema`. */
      schemaConst: this.constants.take(`${constant}Schema`),
      /** The same in a zone, where it includes the component's name: `sharedSeoEntry`. */
      entryConst: this.constants.take(`${constant}Entry`),
      /** The Zod schema of an entry in a draft: `sharedSeoDraft`. */
      draftConst: this.constants.take(`${constant}Draft`),
      /** The same in a zone: `sharedSeoDraftEntry`. */
      draftEntryConst: this.constants.take(`${constant}DraftEntry`),
      /** `ComponentSharedSeo`. */
      graphql,
      /** `sharedSeoGraphql`. */
      graphqlConst: this.constants.take(`${constant}Graphql`),
    };
  }
}

/** Names types and components: content types first, each kind sorted by uid. */
export const assignNames = ({ contentTypes, components }: Prepared, report: Report): Names => {
  const assignment = new Assignment(contentTypes, report);
  return {
    contentTypes: new Map(contentTypes.map((type) => [type, assignment.contentType(type)])),
    components: new Map(components.map((component) => [component, assignment.component(component)])),
    tables: assignment.tables,
    constants: assignment.constants,
  };
};
