/**
 * Refuses names that do not exist. An inferred type parameter may have more names than its constraint. So a parameter
 * that determines the type of the response is checked by this type, in which every surplus name has the type `never`.
 */

type Leaf = string | number | boolean | null | undefined;

type NamesIn<Shape> = Shape extends Leaf | readonly unknown[] ? never : keyof Shape;
type ValueIn<Shape, Name> = Shape extends Leaf | readonly unknown[]
  ? never
  : Name extends keyof Shape
    ? Shape[Name]
    : never;
type ItemIn<Shape> = Shape extends readonly (infer Item)[] ? Item : never;

/** `Given`, with `never` behind the names that no member of the union `Shape` has. */
export type Exact<Given, Shape> = unknown extends Shape
  ? Given
  : Given extends Leaf
    ? Given
    : Given extends readonly unknown[]
      ? { readonly [Index in keyof Given]: Exact<Given[Index], ItemIn<Shape>> }
      : {
          readonly [Name in keyof Given]: Name extends NamesIn<Shape>
            ? Exact<Given[Name], ValueIn<Shape, Name>>
            : never;
        };
