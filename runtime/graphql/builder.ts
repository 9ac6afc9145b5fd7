/**
 * What generated `graphql.ts` files link against: a Pothos schema builder, extended with the content methods of the
 * plugin in `plugin/`.
 */
import type { Blocks, File, Json } from "../schema/content-type.ts";
import type { GraphqlContext, Node, ResolverContext } from "./context.ts";
import "./plugin/words.ts";
import type { UploadedFile } from "./uploaded-file.ts";

/** The backing types of the schema's objects, by name. Generated files add a line for each. */
export interface GraphqlObjects {
  UploadFile: File;
}

/** The Pothos type parameters of a schema; `Objects` can be referred to by name. */
export interface GraphqlTypes<Objects extends object, Context extends object = GraphqlContext> {
  Context: Context;
  Root: object;
  Objects: Objects;
  Scalars: {
    JSON: { Input: unknown; Output: Json | Blocks };
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: string };
    Time: { Input: string; Output: string };
    Long: { Input: string; Output: string };
    I18NLocaleCode: { Input: string; Output: string };
    ID: { Input: string; Output: string | number };
    String: { Input: string; Output: string };
    Int: { Input: number; Output: number };
    Float: { Input: number; Output: number };
    Boolean: { Input: boolean; Output: boolean };
    Upload: { Input: UploadedFile; Output: never };
    [zone: `${string}DynamicZoneInput`]: { Input: unknown; Output: never };
  };
}

/** A builder on which `Objects` can be referred to by name. */
export type BuilderOf<
  Objects extends object,
  Context extends object = GraphqlContext,
> = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphqlTypes<Objects, Context>>>;

/** The builder of a project's schema. */
export type Builder = BuilderOf<GraphqlObjects>;
/** The same for the application's own fields. */
export type OwnBuilder = BuilderOf<GraphqlObjects, ResolverContext>;
type Types = Builder["$inferSchemaTypes"];

/** What generated `graphql.ts` files export: adds a type or component, and its operations, to a schema. */
export type GraphqlModule = (builder: Builder) => void;

/** A field of an object, as `t.exposeString` and the content methods return it. */
export type OutputField = PothosSchemaTypes.FieldRef<Types, unknown>;
/** A field of an input object. */
export type InputField = PothosSchemaTypes.InputFieldRef<Types, NonNullable<unknown> | null | undefined>;
/** A reference to an object type, usable before its fields are declared. */
export type ObjectRef = PothosSchemaTypes.ImplementableObjectRef<Types, Node>;
/** The same for an input object. */
export type InputRef = PothosSchemaTypes.ImplementableInputObjectRef<Types, Record<string, unknown>>;
/** What `fields` of an object gets: the `t` that declares its fields. */
export type ObjectFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Node>;
/** What `fields` of an input object gets. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;
/** Fields of an input object, by name. */
export type InputMembers = Record<string, InputField>;
/** What `builder.queryFields` passes: the `t` with `findOne`, `findMany` and so on. */
export type QueryFields = PothosSchemaTypes.QueryFieldBuilder<Types, object>;
/** What `builder.mutationFields` passes: the `t` with `create`, `update`, `remove` and so on. */
export type MutationFields = PothosSchemaTypes.MutationFieldBuilder<Types, object>;
