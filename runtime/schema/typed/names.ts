import type { Private } from "../document.ts";

/**
 * The names in an interface of `document.ts`, by what stands behind them. A property that is always there is a value of
 * the document's own; an optional one leads on: to documents, files or entries of components, which answers hold when
 * they are populated. `never` stands behind what no query may name, and {@link Private} behind what code with all rights
 * may.
 */
type Name<Shape> = keyof Shape & string;

/** Names of values: what `fields` may list. */
export type ValueName<Shape> = {
  [Key in Name<Shape>]: undefined extends Shape[Key] ? never : [Shape[Key]] extends [never] ? never : Key;
}[Name<Shape>];

/** Names of what leads on: what `populate` may list. */
export type LinkName<Shape> = {
  [Key in Name<Shape>]: undefined extends Shape[Key]
    ? [NonNullable<Shape[Key]>] extends [Private<unknown>]
      ? never
      : Key
    : never;
}[Name<Shape>];

/** Who asks: code of the application may name private values, which a client of the server may not. */
export type Asker = "application" | "client";

/** Names of private values, as far as they may be named. */
export type PrivateName<Shape, By extends Asker = "application"> = By extends "client"
  ? never
  : {
      [Key in Name<Shape>]: [NonNullable<Shape[Key]>] extends [never]
        ? never
        : [NonNullable<Shape[Key]>] extends [Private<unknown>]
          ? Key
          : never;
    }[Name<Shape>];

/** The value of a private attribute. */
export type Revealed<Member> = NonNullable<Member> extends Private<infer Value> ? Value : never;

/** Says of a document or entry of what kind it is: always shown, and nothing to ask for. */
export type KindName = "__type" | "__component";

/** What a link leads to: the document, file or entry, whether it is one or a list. */
export type Target<Link> = NonNullable<Link> extends readonly (infer Item)[] ? Item : NonNullable<Link>;

/** Names of links to documents, files or entries of one known kind: zones, and relations to any type, are left out. */
export type DirectLinkName<Shape> = {
  [Key in LinkName<Shape>]: KindName & keyof Target<Shape[Key]> extends never ? Key : never;
}[LinkName<Shape>];
