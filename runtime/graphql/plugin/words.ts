/** Types of the content methods that this plugin adds to Pothos; `plugin.ts` implements them. */
import type { BasePlugin, FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from "@pothos/core";
import type { Component, ComponentFields, ContentType, DocumentFields } from "../../schema/content-type.ts";
import type {
  AttributeFieldBuilder,
  AttributeOptions,
  ComponentName,
  DocumentName,
  Fields,
  Objects,
} from "./attribute-words.ts";

/** The permission that a field requires, such as `api::article.article.find`. */
interface Permission {
  readonly can: string;
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      content: BasePlugin<Types>;
    }

    export interface SchemaBuilder<Types extends SchemaTypes> {
      /**
       * The object of a content type. The same fields also give its input (`XInput`: all but `readOnly` ones, none of
       * them required) and its filter input (`XFiltersInput`: all but `writeOnly` ones, files and zones). Adds what
       * every document has: `documentId`, `createdAt`, `updatedAt`, `publishedAt`, and the locales of localized types.
       */
      contentType: <Name extends DocumentName<Types>>(
        name: Name,
        options: {
          readonly type: ContentType<Objects<Types>[Name] & DocumentFields>;
          readonly fields: (
            t: AttributeFieldBuilder<Types, Objects<Types>[Name]>,
          ) => Fields<Types, Objects<Types>[Name]>;
        },
      ) => void;
      /** The object of a component; its input, its filter input and its `id` come with it. */
      component: <Name extends ComponentName<Types>>(
        name: Name,
        options: {
          readonly component: Component<Objects<Types>[Name] & ComponentFields>;
          readonly fields: (
            t: AttributeFieldBuilder<Types, Objects<Types>[Name]>,
          ) => Fields<Types, Objects<Types>[Name]>;
        },
      ) => void;
      /** `enumType` for a name that the enumerations of several attributes share: the first call creates it. */
      sharedEnumType: SchemaBuilder<Types>["enumType"];
    }

    export interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The permissions that the field requires, all of them; an empty list opens it to anybody. */
      can?: string | readonly string[];
      writeOnly?: AttributeOptions["writeOnly"];
      readOnly?: AttributeOptions["readOnly"];
    }

    export interface QueryFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** One document, by its id. */
      findOne: Operation<Types>;
      /** Documents, filtered, sorted and in pages. */
      findMany: Operation<Types>;
      /** The same with page facts; only in the flat format, since the entity format's `findMany` already has them. */
      findConnection: Operation<Types>;
      /** The document of a single type. */
      findSingle: Operation<Types>;
      /** The stored versions of a document, newest first. */
      findVersions: Operation<Types>;
      /** The last versions of deleted documents. */
      findDeleted: Operation<Types>;
      /** A version, shown as the document that it was. */
      findVersion: Operation<Types>;
      /** The attributes that differ from another version, or from the current document. */
      compareVersions: Operation<Types>;
    }

    export interface MutationFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** Creates a document. */
      create: Operation<Types>;
      /** Changes a document. */
      update: Operation<Types>;
      /** Deletes a document. */
      remove: Operation<Types>;
      /** Creates or changes the document of a single type. */
      updateSingle: Operation<Types>;
      /** Deletes the document of a single type. */
      removeSingle: Operation<Types>;
      /** Sets when a document is published and unpublished. */
      schedule: Operation<Types>;
      /** Restores a version by writing it again. */
      restoreVersion: Operation<Types>;
      /** Adds a locale to a document; only in the entity format, since `update` does it in the flat one. */
      createLocalization: Operation<Types>;
    }
  }
}

type Operation<Types extends SchemaTypes> = (
  type: DocumentName<Types>,
  options: Permission,
) => PothosSchemaTypes.FieldRef<Types, unknown>;

export type { Permission };
