/** The words that Pothos lacks for content, as types; `plugin.ts` gives them their meaning. */
import type { BasePlugin, FieldNullability, FieldRef, InputFieldMap, SchemaTypes, TypeParam } from "@pothos/core";
import type {
  Component,
  ComponentFields,
  ContentType,
  DocumentFields,
  File,
  MorphDocument,
} from "../../schema/content-type.ts";
import type { ContentOptions } from "./options.ts";

type Objects<Types extends SchemaTypes> = Types["Objects"];
type ObjectName<Types extends SchemaTypes> = keyof Objects<Types> & string;

/** Names of the objects that are made from a `Shape`. */
type NameOf<Types extends SchemaTypes, Shape> = {
  [Name in ObjectName<Types>]: Objects<Types>[Name] extends Shape ? Name : never;
}[ObjectName<Types>];
type DocumentName<Types extends SchemaTypes> = NameOf<Types, DocumentFields>;
type ComponentName<Types extends SchemaTypes> = NameOf<Types, ComponentFields>;

/** `Name` where its value is what `Target` stands for; no name compiles otherwise. */
type Leads<Name, Value, Target> = NonNullable<Value> extends Target ? Name : never;

/** The attributes of a type: an object's own field, made from the attribute of the same name. */
type Fields<Types extends SchemaTypes, Shape> = { readonly [Name in keyof Shape]?: FieldRef<Types, unknown> };

/** What a field of an object says of itself beside its type. */
interface AttributeOptions {
  /** `false`: never null. Null by default. */
  readonly nullable?: boolean;
  /** In the input alone: in no answer, and nothing can be filtered by it. */
  readonly writeOnly?: true;
  /** Not in the input. */
  readonly readOnly?: true;
}

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

    export interface SchemaBuilderOptions<Types extends SchemaTypes> {
      content?: ContentOptions;
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
          readonly fields: (t: ObjectFieldBuilder<Types, Objects<Types>[Name]>) => Fields<Types, Objects<Types>[Name]>;
        },
      ) => void;
      /** The object of a component; its input, its filter input and its `id` come with it. */
      component: <Name extends ComponentName<Types>>(
        name: Name,
        options: {
          readonly component: Component<Objects<Types>[Name] & ComponentFields>;
          readonly fields: (t: ObjectFieldBuilder<Types, Objects<Types>[Name]>) => Fields<Types, Objects<Types>[Name]>;
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

    export interface ObjectFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** A relation to one document. Null where the caller may not find it, or there is none. */
      relation: <Name extends keyof ParentShape & string, Target extends DocumentName<Types>>(
        name: Leads<Name, ParentShape[Name], Objects<Types>[Target]>,
        target: Target,
        options?: Omit<AttributeOptions, "nullable">,
      ) => FieldRef<Types, unknown>;
      /** A relation to documents; in the flat format with a `<name>_connection` beside it. */
      relations: <Name extends keyof ParentShape & string, Target extends DocumentName<Types>>(
        name: Leads<Name, ParentShape[Name], Objects<Types>[Target][]>,
        target: Target,
        options?: Omit<AttributeOptions, "nullable">,
      ) => FieldRef<Types, unknown>;
      /** A relation to one document of any type. */
      morph: <Name extends keyof ParentShape & string>(
        name: Leads<Name, ParentShape[Name], MorphDocument>,
        options?: Omit<AttributeOptions, "nullable">,
      ) => FieldRef<Types, unknown>;
      /** A relation to documents of any type. */
      morphs: <Name extends keyof ParentShape & string>(
        name: Leads<Name, ParentShape[Name], MorphDocument[]>,
        options?: Omit<AttributeOptions, "nullable">,
      ) => FieldRef<Types, unknown>;
      /** One file. */
      file: <Name extends keyof ParentShape & string>(
        name: Leads<Name, ParentShape[Name], File>,
        options?: AttributeOptions,
      ) => FieldRef<Types, unknown>;
      /** Several files, in order; in the flat format with a `<name>_connection` beside them. */
      files: <Name extends keyof ParentShape & string>(
        name: Leads<Name, ParentShape[Name], File[]>,
        options?: AttributeOptions,
      ) => FieldRef<Types, unknown>;
      /** One entry of a component. */
      component: <Name extends keyof ParentShape & string, Target extends ComponentName<Types>>(
        name: Leads<Name, ParentShape[Name], Objects<Types>[Target]>,
        target: Target,
        options?: AttributeOptions,
      ) => FieldRef<Types, unknown>;
      /** Entries of a component, in order. */
      components: <Name extends keyof ParentShape & string, Target extends ComponentName<Types>>(
        name: Leads<Name, ParentShape[Name], Objects<Types>[Target][]>,
        target: Target,
        options?: AttributeOptions,
      ) => FieldRef<Types, unknown>;
      /** A dynamic zone: entries of several components, in order, whose union is called `union`. */
      zone: <Name extends keyof ParentShape & string, Target extends ComponentName<Types>>(
        name: Leads<Name, ParentShape[Name], readonly Objects<Types>[Target][]>,
        union: string,
        components: readonly Target[],
        options?: AttributeOptions,
      ) => FieldRef<Types, unknown>;
    }

    export interface QueryFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** One document, by its id. */
      findOne: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Documents, filtered, sorted and in pages. */
      findMany: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** The same with the facts of the page; in the flat format only, as the entity format's `findMany` has them. */
      findConnection: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** The document of a single type. */
      findSingle: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
    }

    export interface MutationFieldBuilder<Types extends SchemaTypes, ParentShape> {
      /** Makes a document. */
      create: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Changes a document. */
      update: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Deletes a document. */
      remove: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Makes or changes the document of a single type. */
      updateSingle: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Deletes the document of a single type. */
      removeSingle: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
      /** Adds a locale to a document; in the entity format only, as `update` does it in the flat one. */
      createLocalization: (type: DocumentName<Types>, options: Permission) => FieldRef<Types, unknown>;
    }
  }
}

export type { AttributeOptions, Permission };
