/** The words that Pothos lacks for content, as types; `plugin.ts` gives them their meaning. */
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

/** Which permission a field takes, such as `api::article.article.find`. */
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
       * The object of a content type. From the same fields come its input (`XInput`: all but `readOnly` ones, none of
       * them required) and its filter input (`XFiltersInput`: all but `writeOnly` ones, files and zones), and what
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
      /** `enumType` for a name that several attributes give to their enumerations: whoever is first makes it. */
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
      /** The permissions that the field takes, all of them; an empty list is open to anybody. */
      can?: string | readonly string[];
      writeOnly?: AttributeOptions["writeOnly"];
      readOnly?: AttributeOptions["readOnly"];
    }

    export interface QueryFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** One document, by its id. */
      findOne: Operation<Types>;
      /** Documents, filtered, sorted and in pages. */
      findMany: Operation<Types>;
      /** The same with the facts of the page; in the flat format only, as the entity format's `findMany` has them. */
      findConnection: Operation<Types>;
      /** The document of a single type. */
      findSingle: Operation<Types>;
      /** The versions of a document that were kept, newest first. */
      findVersions: Operation<Types>;
      /** The last versions of documents that were deleted. */
      findDeleted: Operation<Types>;
      /** A version as the document that it was. */
      findVersion: Operation<Types>;
      /** The attributes that differ from another version, or from what is stored now. */
      compareVersions: Operation<Types>;
    }

    export interface MutationFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** Makes a document. */
      create: Operation<Types>;
      /** Changes a document. */
      update: Operation<Types>;
      /** Deletes a document. */
      remove: Operation<Types>;
      /** Makes or changes the document of a single type. */
      updateSingle: Operation<Types>;
      /** Deletes the document of a single type. */
      removeSingle: Operation<Types>;
      /** Sets when a document is published and unpublished. */
      schedule: Operation<Types>;
      /** Writes a version anew. */
      restoreVersion: Operation<Types>;
      /** Adds a locale to a document; in the entity format only, as `update` does it in the flat one. */
      createLocalization: Operation<Types>;
    }
  }
}

type Operation<Types extends SchemaTypes> = (
  type: DocumentName<Types>,
  options: Permission,
) => PothosSchemaTypes.FieldRef<Types, unknown>;

export type { Permission };
