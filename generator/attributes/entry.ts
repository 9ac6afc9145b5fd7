/** What the catalogue says of an attribute type, and what it may ask of the file that is being written. */
import type { Attribute, Component, ContentType } from "../model/model.ts";
import type { Expression, Property } from "./expression.ts";

/** The file being written. Names are imported as they are used; what comes back is the name to write. */
export interface Scope {
  /** Imports a value from a package. */
  value(module: string, name: string): string;
  /** Imports a type from a package. */
  type(module: string, name: string): string;
  /** Imports a value from a generated file; `file` is its path below the output folder, without extension. */
  generatedValue(file: string, name: string): string;
  /** The same for a type. */
  generatedType(file: string, name: string): string;
  /** What the model says of a uid; an unknown one is a bug of the model's and throws. */
  contentType(uid: string): ContentType;
  component(uid: string): Component;
  /** Whether several attributes have an enumeration of this GraphQL name. */
  isSharedEnum(name: string): boolean;
}

/** A property of the interface in `document.ts`. */
export interface DocumentMember {
  /** Absent from answers that do not ask for it. */
  readonly optional: boolean;
  /** A type, on one line; a union is a list of its members. */
  readonly union: readonly string[];
}

/** A value's place in the database, inside a content type; components keep their values in JSON. */
export interface TableRef {
  /** Name of the Drizzle table, as the file knows it. */
  readonly table: string;
  /** Where the tables of the type are declared: a path below the output folder, without extension. */
  readonly tableFile: string;
}

/** An index of one column, or of one and its place in the other side's list. */
export type ColumnIndex =
  | {
      readonly key: string;
      /** `lookup`: reads find rows by the value; `unique`: published versions must not share it. */
      readonly purpose: "lookup" | "unique";
    }
  | { readonly key: string; readonly purpose: "inverse"; readonly positionKey: string };

/** One type of attribute, in every kind of generated file. */
export interface AttributeEntry<Kind extends Attribute> {
  /** Columns of the type's own table, by the key that `table.ts` gives them. */
  columns(attribute: Kind, scope: Scope): readonly Property[];
  /** The indexes of the columns, by their keys in `table.ts`. */
  indexes(attribute: Kind): readonly ColumnIndex[];
  /** The attribute in `type.ts`; `owner` is undefined inside a component. */
  descriptor(attribute: Kind, owner: TableRef | undefined, scope: Scope): Expression;
  /** The attribute in `validator.ts`, as a Zod schema. */
  validator(attribute: Kind, scope: Scope): Expression;
  /** The attribute in `document.ts`. */
  document(attribute: Kind, scope: Scope): DocumentMember;
  /** The attribute in `graphql.ts`; undefined where the schema does not show it. */
  graphql(attribute: Kind, scope: Scope): Expression | undefined;
}

/** Packages' entries that generated code imports from. */
export const modules = {
  pgCore: "drizzle-orm/pg-core",
  columns: "galley-cms/columns",
  contentType: "galley-cms/content-type",
  document: "galley-cms/document",
  validators: "galley-cms/validators",
  zod: "zod",
  graphql: "galley-cms/graphql",
} as const;
