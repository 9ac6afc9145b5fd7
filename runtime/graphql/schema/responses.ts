/** The wrappers around documents: entities and responses of the entity format, connections of the flat one. */
import type { ObjectRef } from "../builder.ts";
import { read, readId, readRow } from "./read.ts";
import type { Scope } from "./scope.ts";
import { paginationType } from "./shared-types.ts";

/** A name and its object type: of a content type, or of files. */
export interface Subject {
  readonly name: string;
  readonly object: () => ObjectRef;
}

/** `XEntity { id, attributes }`: both read from the same row. */
const entity = (scope: Scope, { name, object }: Subject): ObjectRef =>
  scope.refs.implementedObject(`${name}Entity`, (ref) =>
    ref.implement({
      fields: (t) => ({
        id: t.id({ nullable: true, resolve: readId }),
        attributes: t.field({ type: object(), nullable: true, resolve: readRow }),
      }),
    }),
  );

/** `XEntityResponse { data }`. */
export const entityResponse = (scope: Scope, subject: Subject): ObjectRef =>
  scope.refs.implementedObject(`${subject.name}EntityResponse`, (ref) =>
    ref.implement({
      fields: (t) => ({
        data: t.field({ type: entity(scope, subject), nullable: true, resolve: read }),
      }),
    }),
  );

const collectionMeta = (scope: Scope): ObjectRef =>
  scope.refs.implementedObject("ResponseCollectionMeta", (ref) =>
    ref.implement({
      fields: (t) => ({
        pagination: t.field({ type: paginationType(scope), resolve: read }),
      }),
    }),
  );

/** `XEntityResponseCollection`: `{ data, meta }` of the entity format, `{ nodes, pageInfo }` of the flat one. */
export const collectionResponse = (scope: Scope, subject: Subject): ObjectRef =>
  scope.refs.implementedObject(`${subject.name}EntityResponseCollection`, (ref) =>
    ref.implement({
      fields: (t) =>
        scope.format === "entity"
          ? {
              data: t.field({ type: [entity(scope, subject)], resolve: read }),
              meta: t.field({ type: collectionMeta(scope), resolve: read }),
            }
          : {
              nodes: t.field({ type: [subject.object()], resolve: read }),
              pageInfo: t.field({ type: paginationType(scope), resolve: read }),
            },
    }),
  );

/** `XRelationResponseCollection`: the same without paging facts. */
export const relationResponse = (scope: Scope, subject: Subject): ObjectRef =>
  scope.refs.implementedObject(`${subject.name}RelationResponseCollection`, (ref) =>
    ref.implement({
      fields: (t) =>
        scope.format === "entity"
          ? { data: t.field({ type: [entity(scope, subject)], resolve: read }) }
          : { nodes: t.field({ type: [subject.object()], resolve: read }) },
    }),
  );
