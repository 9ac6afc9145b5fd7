/** `builder.contentType`, `builder.component` and `builder.sharedEnumType`. */
import SchemaBuilder, { ObjectFieldBuilder } from "@pothos/core";
import { type Attributes, targetOf } from "../../schema/attributes.ts";
import type { Attribute, Component, ContentType, Field } from "../../schema/content-type.ts";
import { type Builder, type ObjectFields, type OutputField } from "../builder.ts";
import type { Declaration } from "../catalog.ts";
import { read } from "../schema/ready.ts";
import { type Scope, scopeOf } from "../schema/scope.ts";
import { identityField, systemFields } from "../schema/system-fields.ts";
import { documentLink } from "./links.ts";
import { notedOf } from "./members.ts";

type FieldsByName = Readonly<Record<string, OutputField | undefined>>;
type Fields = (t: ObjectFields) => FieldsByName;

/** Calls `make` at the first use, and never again. */
const once = <Value extends object>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};

/** Refuses fields that their descriptor does not back: the compiler cannot tell types of the same shape apart. */
const checkField = (place: string, attribute: Attribute | Field | undefined, field: OutputField): void => {
  if (!attribute) throw new Error(`${place}: there is no such attribute`);
  const { target } = notedOf(field);
  const actual = attribute.type === "component" ? attribute.component : targetOf(attribute);
  if (target !== actual) throw new Error(`${place} leads to ${actual}, not to ${target}`);
};

const checked = (name: string, attributes: Attributes, fields: FieldsByName): ReadonlyMap<string, OutputField> => {
  const found = new Map<string, OutputField>();
  for (const [key, field] of Object.entries(fields)) {
    if (!field) continue;
    checkField(`${name}.${key}`, Object.hasOwn(attributes, key) ? attributes[key] : undefined, field);
    found.set(key, field);
  }
  return found;
};

const connections = (fields: ReadonlyMap<string, OutputField>): Readonly<Record<string, OutputField>> =>
  Object.fromEntries(
    [...fields].flatMap(([name, field]) => {
      const { connection } = notedOf(field);
      return connection ? [[`${name}_connection`, connection]] : [];
    }),
  );

/** Declares an object and adds it to the catalog. */
const declare = (scope: Scope, { name, uid, type }: Named, declared: Attributes, fields: Fields): void => {
  const made = once(() => checked(name, declared, fields(new ObjectFieldBuilder(scope.builder))));
  scope.catalog.add({ name, uid, type, declared, fields: made });
  scope.refs.object(name).implement({
    fields: (t) => ({
      ...(type ? identityField(scope, t) : { id: t.id({ nullable: false, resolve: read }) }),
      ...Object.fromEntries(made()),
      ...connections(made()),
      ...(type ? systemFields(scope, type, documentLink(scope, name), t) : {}),
    }),
  });
};

type Named = Pick<Declaration, "name" | "uid" | "type">;

interface TypeOptions {
  readonly type: ContentType;
  readonly fields: Fields;
}

interface ComponentOptions {
  readonly component: Component;
  readonly fields: Fields;
}

Object.assign(SchemaBuilder.prototype, {
  contentType(this: Builder, name: string, { type, fields }: TypeOptions): void {
    declare(scopeOf(this), { name, uid: type.uid, type }, type.attributes, fields);
  },
  component(this: Builder, name: string, { component, fields }: ComponentOptions): void {
    declare(scopeOf(this), { name, uid: component.uid, type: undefined }, component.attributes, fields);
  },
  sharedEnumType(this: Builder, name: string, options: Parameters<Builder["enumType"]>[1]) {
    return scopeOf(this).refs.once(name, () => this.enumType(name, options as never));
  },
});
