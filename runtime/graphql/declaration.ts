/**
 * What the generated `graphql.ts` files declare: the GraphQL name of every type and the GraphQL kind of every attribute.
 * The schema itself is built from these when a server starts (see `schema/build.ts`), so that the same declarations serve
 * both formats and the extension service can leave types, fields and operations out.
 */
import type { Component, ComponentFields, ContentType, DocumentFields } from "../schema/content-type.ts";

/** The scalars of the schema; `Long` is a whole number of up to 64 bits. */
export type ScalarName = "String" | "Boolean" | "Int" | "Long" | "Float" | "JSON" | "Date" | "Time" | "DateTime";

/** A GraphQL enum; the keys are its members, the values what is stored. */
export interface EnumDeclaration {
  readonly name: string;
  readonly members: Readonly<Record<string, string>>;
}

/** The union of the components that a dynamic zone takes. */
export interface ZoneDeclaration {
  readonly name: string;
  readonly components: readonly ComponentDeclaration[];
}

/** The GraphQL kind of one attribute: what the builders below make. */
export type FieldDeclaration =
  | { readonly kind: "scalar"; readonly scalar: ScalarName }
  | { readonly kind: "enum"; readonly enum: EnumDeclaration }
  | { readonly kind: "file"; readonly many: boolean }
  | { readonly kind: "relation"; readonly target: TypeDeclaration; readonly many: boolean }
  | { readonly kind: "component"; readonly target: ComponentDeclaration; readonly many: boolean }
  | { readonly kind: "zone"; readonly zone: ZoneDeclaration }
  | { readonly kind: "morph"; readonly many: boolean };

/** The attributes of a type or component, by name. */
export type FieldDeclarations = Readonly<Record<string, FieldDeclaration>>;

/** A content type: its fields are declared in a function, because types refer to one another. */
export interface TypeDeclaration {
  readonly name: string;
  /** The query for one document, and the one for a list. */
  readonly one: string;
  readonly many: string;
  readonly type: ContentType;
  readonly fields: () => FieldDeclarations;
  /** The permissions that the queries take, where they are not `<uid>.find` and `<uid>.findOne`. */
  readonly actions?: { readonly find: string; readonly findOne: string };
}

/** A component: its GraphQL name, its descriptor, and its fields. */
export interface ComponentDeclaration {
  readonly name: string;
  readonly component: Component;
  readonly fields: () => FieldDeclarations;
}

type AttributesOf<Document extends DocumentFields> = Exclude<
  keyof Document,
  keyof DocumentFields | "locale" | "localizations"
>;

interface ObjectInput<Document extends DocumentFields> {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly type: ContentType<Document>;
  readonly fields: () => { readonly [Name in AttributesOf<Document>]?: FieldDeclaration };
}

/** Declares the GraphQL side of a content type; an attribute that the type does not have does not compile. */
export const objectType = <Document extends DocumentFields>(input: ObjectInput<Document>): TypeDeclaration => ({
  ...input,
  fields: () => definedFields(input.fields()),
});

interface ComponentInput<Entry extends ComponentFields> {
  readonly name: string;
  readonly component: Component<Entry>;
  readonly fields: () => { readonly [Name in Exclude<keyof Entry, "id">]?: FieldDeclaration };
}

/** Declares the GraphQL side of a component. */
export const componentType = <Entry extends ComponentFields>(input: ComponentInput<Entry>): ComponentDeclaration => ({
  ...input,
  fields: () => definedFields(input.fields()),
});

const definedFields = (fields: Readonly<Record<string, FieldDeclaration | undefined>>): FieldDeclarations => {
  const defined: Record<string, FieldDeclaration> = {};
  for (const [name, field] of Object.entries(fields)) if (field) defined[name] = field;
  return defined;
};

const scalar = (name: ScalarName) => (): FieldDeclaration => ({ kind: "scalar", scalar: name });

/** A text. */
export const string = scalar("String");
/** A truth value. */
export const boolean = scalar("Boolean");
/** A whole number of 32 bits. */
export const int = scalar("Int");
/** A whole number of 64 bits. */
export const long = scalar("Long");
/** A number. */
export const float = scalar("Float");
/** Any JSON value. */
export const json = scalar("JSON");
/** A day, such as `2024-05-01`. */
export const date = scalar("Date");
/** A time of day, such as `12:30:00.000`. */
export const time = scalar("Time");
/** An instant in ISO 8601, in UTC with milliseconds. */
export const dateTime = scalar("DateTime");

/** An enum: members are GraphQL names, values are what the database holds. */
export const enumeration = (name: string, members: EnumDeclaration["members"]): FieldDeclaration => ({
  kind: "enum",
  enum: { name, members },
});
/** A single file. */
export const file = (): FieldDeclaration => ({ kind: "file", many: false });
/** Several files, in order. */
export const files = (): FieldDeclaration => ({ kind: "file", many: true });
/** A relation to one document of `target`. */
export const one = (target: TypeDeclaration): FieldDeclaration => ({ kind: "relation", target, many: false });
/** A relation to documents of `target`. */
export const many = (target: TypeDeclaration): FieldDeclaration => ({ kind: "relation", target, many: true });
/** A single component. */
export const component = (target: ComponentDeclaration): FieldDeclaration => ({
  kind: "component",
  target,
  many: false,
});
/** A repeatable component. */
export const components = (target: ComponentDeclaration): FieldDeclaration => ({
  kind: "component",
  target,
  many: true,
});
/** A dynamic zone: `name` is that of the union of its components. */
export const dynamicZone = (name: string, components: readonly ComponentDeclaration[]): FieldDeclaration => ({
  kind: "zone",
  zone: { name, components },
});
/** A relation to one document of any type. */
export const morph = (): FieldDeclaration => ({ kind: "morph", many: false });
/** A relation to documents of any type. */
export const morphs = (): FieldDeclaration => ({ kind: "morph", many: true });
