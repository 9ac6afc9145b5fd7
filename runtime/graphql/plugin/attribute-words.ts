/**
 * The type of the `t` that `fields` of a content type or component gets: `t.expose…` as in Pothos, and methods that
 * Pothos lacks. These types check only what a field's line contains. Pothos's own `t`, which also infers arguments,
 * resolvers and results, costs the compiler ten times as much for every attribute.
 */
import type { SchemaTypes } from "@pothos/core";
import type { ComponentFields, DocumentFields, File, MorphDocument, Private } from "../../schema/content-type.ts";

export type Objects<Types extends SchemaTypes> = Types["Objects"];
type ObjectName<Types extends SchemaTypes> = keyof Objects<Types> & string;

/** Names of the objects whose backing type is `Shape`. */
type NameOf<Types extends SchemaTypes, Shape> = {
  [Name in ObjectName<Types>]: Objects<Types>[Name] extends Shape ? Name : never;
}[ObjectName<Types>];
export type DocumentName<Types extends SchemaTypes> = NameOf<Types, DocumentFields>;
export type ComponentName<Types extends SchemaTypes> = NameOf<Types, ComponentFields>;

type Field<Types extends SchemaTypes> = PothosSchemaTypes.FieldRef<Types, unknown>;

/** The fields of an object; each is made from the attribute of the same name. */
export type Fields<Types extends SchemaTypes, Shape> = { readonly [Name in keyof Shape]?: Field<Types> };

/** `Name` if its value is of the type `Target`; otherwise never, so that the call does not compile. */
type Leads<Name, Value, Target> = NonNullable<Value> extends Target | Private<Target | null> ? Name : never;

/** Options of a field besides its type. */
export interface AttributeOptions {
  /** `false`: the field is never null. Nullable by default. */
  readonly nullable?: boolean;
  /** Only in the input: neither in responses nor in filters. */
  readonly writeOnly?: true;
  /** Not in the input. */
  readonly readOnly?: true;
}

/** The same for a value; an attribute that may be null cannot be `nullable: false`. */
interface ExposeOptions<Value> extends AttributeOptions {
  readonly nullable?: null extends Value ? true : boolean;
}

/** The output type of a scalar. */
type ValueOf<Scalar> = Scalar extends { Output: infer Value } ? Value : never;

/** A method for attributes with one type of value. */
type Expose<Types extends SchemaTypes, Shape, Value> = <Name extends keyof Shape & string>(
  name: Leads<Name, Shape[Name], Value>,
  options?: ExposeOptions<Shape[Name]>,
) => Field<Types>;

/** Options of relations, which are null where the caller may not find the target. */
type RelationOptions = Omit<AttributeOptions, "nullable">;

/** A method for attributes that lead to files, or to documents of any type. */
type Link<Types extends SchemaTypes, Shape, Target, Options = AttributeOptions> = <Name extends keyof Shape & string>(
  name: Leads<Name, Shape[Name], Target>,
  options?: Options,
) => Field<Types>;

/** A method for attributes that lead to the object called `target`, or to a list of it. */
type LinkTo<Types extends SchemaTypes, Shape, Targets, Many extends boolean, Options = AttributeOptions> = <
  Name extends keyof Shape & string,
  Target extends Targets & ObjectName<Types>,
>(
  name: Leads<Name, Shape[Name], Many extends true ? Objects<Types>[Target][] : Objects<Types>[Target]>,
  target: Target,
  options?: Options,
) => Field<Types>;

export interface AttributeFieldBuilder<Types extends SchemaTypes, Shape> {
  /** A text. */
  readonly exposeString: Expose<Types, Shape, string>;
  /** A 32-bit integer. */
  readonly exposeInt: Expose<Types, Shape, number>;
  /** A number. */
  readonly exposeFloat: Expose<Types, Shape, number>;
  readonly exposeBoolean: Expose<Types, Shape, boolean>;
  /** A value of another scalar, given by name, or of an enumeration. */
  readonly expose: {
    <Name extends keyof Shape & string, Scalar extends keyof Types["Scalars"] & string>(
      name: Leads<Name, Shape[Name], ValueOf<Types["Scalars"][Scalar]>>,
      options: ExposeOptions<Shape[Name]> & { readonly type: Scalar },
    ): Field<Types>;
    <Name extends keyof Shape & string, Value>(
      name: Leads<Name, Shape[Name], Value>,
      options: ExposeOptions<Shape[Name]> & { readonly type: PothosSchemaTypes.EnumRef<Types, Value> },
    ): Field<Types>;
  };
  /** A relation to one document. Null if there is none, or if the caller may not find it. */
  readonly relation: LinkTo<Types, Shape, DocumentName<Types>, false, RelationOptions>;
  /** A relation to documents; in the flat format with an additional `<name>_connection`. */
  readonly relations: LinkTo<Types, Shape, DocumentName<Types>, true, RelationOptions>;
  /** A relation to one document of any type. */
  readonly morph: Link<Types, Shape, MorphDocument, RelationOptions>;
  /** A relation to documents of any type. */
  readonly morphs: Link<Types, Shape, MorphDocument[], RelationOptions>;
  /** One file. */
  readonly file: Link<Types, Shape, File>;
  /** Several files, in order; in the flat format with an additional `<name>_connection`. */
  readonly files: Link<Types, Shape, File[]>;
  /** One entry of a component. */
  readonly component: LinkTo<Types, Shape, ComponentName<Types>, false>;
  /** Entries of a component, in order. */
  readonly components: LinkTo<Types, Shape, ComponentName<Types>, true>;
  /** A dynamic zone: entries of several components, in order, whose union is called `union`. */
  readonly zone: <Name extends keyof Shape & string, Target extends ComponentName<Types>>(
    name: Leads<Name, Shape[Name], readonly Objects<Types>[Target][]>,
    union: string,
    components: readonly Target[],
    options?: AttributeOptions,
  ) => Field<Types>;
}
