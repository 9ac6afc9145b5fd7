import type { Private } from "../document.ts";

/**
 * The names in an interface of `document.ts`, by the kind of their types. A required property is a value of the
 * document itself; an optional one is a link to documents, files or component entries, which responses contain if it is
 * populated. `never` marks what no query may name, and {@link Private} what only code with all rights may name.
 */
type Name<Shape> = keyof Shape & string;

/** Whether a property is optional. Programs that are compiled without `strict` see no `undefined` in its type. */
export type IsOptional<Shape, Key extends keyof Shape> = {} extends Pick<Shape, Key> ? true : false;

/** Names of values, which `fields` may list. */
export type ValueName<Shape> = {
  [Key in Name<Shape>]-?: IsOptional<Shape, Key> extends true ? never : [Shape[Key]] extends [never] ? never : Key;
}[Name<Shape>];

/** Names of attributes with numbers. */
export type NumberName<Shape> = {
  [Key in Exclude<ValueName<Shape>, "id">]: NonNullable<Shape[Key]> extends number ? Key : never;
}[Exclude<ValueName<Shape>, "id">];

/** Names of links, which `populate` may list. */
export type LinkName<Shape> = {
  [Key in Name<Shape>]-?: IsOptional<Shape, Key> extends true
    ? [NonNullable<Shape[Key]>] extends [Private<unknown>]
      ? never
      : Key
    : never;
}[Name<Shape>];

/** Who asks: application code may name private values, a client may not. */
export type Asker = "application" | "client";

/** Names of private values, if the asker may name them. */
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

/** The members that tell the kind of a document or entry. They are always shown and cannot be asked for. */
export type KindName = "__type" | "__component";

/** What a link leads to: the document, file or entry, whether it is one or a list. */
export type Target<Link> = NonNullable<Link> extends readonly (infer Item)[] ? Item : NonNullable<Link>;

/** Names of links with one known type of target: excludes zones and relations to any type. */
export type DirectLinkName<Shape> = {
  [Key in LinkName<Shape>]: KindName & keyof Target<Shape[Key]> extends never ? Key : never;
}[LinkName<Shape>];

/** Names of zones, and of relations to any type. */
export type ZoneName<Shape> = Exclude<LinkName<Shape>, DirectLinkName<Shape>>;

/** The components of a zone. */
export type ComponentOf<Entry> = Entry extends { readonly __component: infer Uid extends string } ? Uid : never;

/** The entries of one component in a zone. */
export type EntryOf<Entry, Uid> = Extract<Entry, { readonly __component: Uid }>;
