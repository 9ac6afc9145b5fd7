import SchemaBuilder from "@pothos/core";
import type { GraphqlContext } from "./context.ts";
import type { UploadedFile } from "./uploaded-file.ts";

/** A row as the read engine shapes it: one member per response key of the selection. */
export type Node = Readonly<Record<string, unknown>>;

export interface GraphqlTypes {
  Context: GraphqlContext;
  Root: object;
  DefaultFieldNullability: false;
  Scalars: {
    JSON: { Input: unknown; Output: unknown };
    Date: { Input: string; Output: unknown };
    DateTime: { Input: string; Output: unknown };
    Time: { Input: string; Output: unknown };
    Long: { Input: string; Output: unknown };
    I18NLocaleCode: { Input: string; Output: unknown };
    ID: { Input: string; Output: unknown };
    String: { Input: string; Output: unknown };
    Int: { Input: number; Output: unknown };
    Float: { Input: number; Output: unknown };
    Boolean: { Input: boolean; Output: unknown };
    Upload: { Input: UploadedFile; Output: never };
    [zone: `${string}DynamicZoneInput`]: { Input: unknown; Output: never };
  };
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<GraphqlTypes>>;
type Types = Builder["$inferSchemaTypes"];

export type ObjectRef = PothosSchemaTypes.ImplementableObjectRef<Types, Node>;
export type InputRef = PothosSchemaTypes.ImplementableInputObjectRef<Types, Record<string, unknown>>;
export type ObjectFields = PothosSchemaTypes.ObjectFieldBuilder<Types, Node>;
export type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;
/** Members of an input, by name. */
export type InputMembers = Record<string, PothosSchemaTypes.InputFieldRef<Types, unknown>>;
export type QueryFields = PothosSchemaTypes.QueryFieldBuilder<Types, object>;
export type MutationFields = PothosSchemaTypes.MutationFieldBuilder<Types, object>;

/**
 * A builder of its own for every schema: servers of several applications may live in one process.
 * `plugins` are names of builder plugins whose packages were imported.
 */
export const createBuilder = (plugins: readonly string[]): Builder =>
  new SchemaBuilder<GraphqlTypes>({ plugins: plugins as never[], defaultFieldNullability: false });
