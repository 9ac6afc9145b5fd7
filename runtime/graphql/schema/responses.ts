/** The wrappers around documents: entities and responses of the entity format, connections of the flat one. */
import type { ObjectFields, ObjectRef } from "../builder.ts";
import { isSearched } from "./arguments.ts";
import { fromRow, read, readId, readRow, wraps } from "./ready.ts";
import type { Scope } from "./scope.ts";
import { paginationType } from "./shared-types.ts";

/** `XEntity { id, attributes }`: both read from the same row. */
const entity = (scope: Scope, name: string): ObjectRef =>
  scope.refs.define(
    `${name}Entity`,
    (t) => ({
      id: t.id({ resolve: readId }),
      attributes: t.field({ type: scope.refs.object(name), resolve: readRow }),
    }),
    wraps("attributes"),
  );

/** `XEntityResponse { data }`. */
export const entityResponse = (scope: Scope, name: string): ObjectRef =>
  scope.refs.define(
    `${name}EntityResponse`,
    (t) => ({
      data: t.field({ type: entity(scope, name), resolve: read }),
    }),
    wraps("data"),
  );

/** `XEntityResponse`, or `X` itself in the flat format. */
export const documentResponse = (scope: Scope, name: string): ObjectRef =>
  scope.format === "entity" ? entityResponse(scope, name) : scope.refs.object(name);

const collectionMeta = (scope: Scope): ObjectRef =>
  scope.refs.define("ResponseCollectionMeta", (t) => ({
    pagination: t.field({ type: paginationType(scope), nullable: false, resolve: read }),
  }));

/** What a search tells, which only the executor writes. */
const readFound = fromRow((row, { fieldName }) => row[fieldName]);

/** What a full-text search tells of a list. Content types may have the names of these objects. */
const searchMeta = (scope: Scope): ObjectRef => {
  const free = (name: string) => (scope.catalog.find(name) ? `FullText${name}` : name);
  const value = scope.refs.define(free("SearchFacetValue"), (t) => ({
    value: t.string({ nullable: false, resolve: readFound }),
    count: t.int({ nullable: false, resolve: readFound }),
  }));
  const facet = scope.refs.define(free("SearchFacet"), (t) => ({
    name: t.string({ nullable: false, resolve: readFound }),
    values: t.field({ type: [value], nullable: false, resolve: readFound }),
  }));
  return scope.refs.define(free("SearchMeta"), (t) => ({
    snippets: t.stringList({ resolve: readFound }),
    facets: t.field({ type: [facet], resolve: readFound }),
  }));
};

const searchField = (scope: Scope, t: ObjectFields, name: string) => {
  const type = scope.catalog.find(name)?.type;
  if (!type || !isSearched(scope, type)) return {};
  return { search: t.field({ type: searchMeta(scope), resolve: readFound }) };
};

/** `XEntityResponseCollection`: `{ data, meta }` of the entity format, `{ nodes, pageInfo }` of the flat one. */
export const collectionResponse = (scope: Scope, name: string): ObjectRef =>
  scope.refs.define(
    `${name}EntityResponseCollection`,
    (t) =>
      scope.format === "entity"
        ? {
            data: t.field({ type: [entity(scope, name)], nullable: false, resolve: read }),
            meta: t.field({ type: collectionMeta(scope), nullable: false, resolve: read }),
            ...searchField(scope, t, name),
          }
        : {
            nodes: t.field({ type: [scope.refs.object(name)], nullable: false, resolve: read }),
            pageInfo: t.field({ type: paginationType(scope), nullable: false, resolve: read }),
            ...searchField(scope, t, name),
          },
    wraps(scope.format === "entity" ? "data" : "nodes"),
  );

/** `XRelationResponseCollection`: the same without page facts. */
export const relationResponse = (scope: Scope, name: string): ObjectRef =>
  scope.refs.define(
    `${name}RelationResponseCollection`,
    (t) =>
      scope.format === "entity"
        ? { data: t.field({ type: [entity(scope, name)], nullable: false, resolve: read }) }
        : { nodes: t.field({ type: [scope.refs.object(name)], nullable: false, resolve: read }) },
    wraps(scope.format === "entity" ? "data" : "nodes"),
  );
