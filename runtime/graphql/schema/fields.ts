/** The output, input and filter fields that the attributes of one content type or component become. */
import type { Attribute, Field } from "../../schema/content-type.ts";
import type { InputFields, InputRef, ObjectFields } from "../builder.ts";
import type { FieldDeclaration, FieldDeclarations } from "../declaration.ts";
import { UploadFile } from "../upload-file.ts";
import { listArgs } from "./arguments.ts";
import { enumRef } from "./enum.ts";
import { read, readPopulated } from "./read.ts";
import { relationFields } from "./relation.ts";
import { scalarFilter } from "./scalar-filters.ts";
import type { Scope } from "./scope.ts";
import { morphUnion, zoneInputName, zoneUnion } from "./unions.ts";

/** A content type or component, as far as its fields are concerned. */
export interface Owner {
  readonly uid: string;
  readonly attributes: Readonly<Record<string, Attribute | Field>>;
  readonly fields: FieldDeclarations;
}

interface Entry {
  readonly name: string;
  readonly field: FieldDeclaration;
  readonly attribute: Attribute | Field;
}

const entries = ({ attributes, fields }: Owner): readonly Entry[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const attribute = attributes[name];
    return attribute ? [{ name, field, attribute }] : [];
  });

/** Private attributes and passwords are in no answer, and nothing may be concluded from them by a filter. */
const isVisible = ({ attribute }: Entry): boolean => attribute.private !== true && attribute.type !== "password";

/** A relation to a type that is switched off is switched off with it. */
const pointsToEnabled = (scope: Scope, { field }: Entry): boolean => {
  if (field.kind === "file") return scope.shadow.type(UploadFile.type.uid).isEnabled();
  return field.kind !== "relation" || scope.shadow.type(field.target.type.uid).isEnabled();
};

export const outputFields = (scope: Scope, owner: Owner) => (t: ObjectFields) => {
  const shown = entries(owner).filter(
    (entry) =>
      isVisible(entry) &&
      pointsToEnabled(scope, entry) &&
      scope.shadow.type(owner.uid).field(entry.name).hasOutputEnabled(),
  );
  return Object.assign({}, ...shown.map((entry) => outputField(scope, t, entry)));
};

const outputField = (scope: Scope, t: ObjectFields, { name, field, attribute }: Entry) => {
  const nullable = attribute.required !== true;
  switch (field.kind) {
    case "scalar":
      return { [name]: t.field({ type: field.scalar, nullable, resolve: read }) };
    case "enum":
      return { [name]: t.field({ type: enumRef(scope, field.enum), nullable, resolve: read }) };
    case "component":
      return {
        [name]: field.many
          ? t.field({
              type: [scope.make.componentObject(field.target)],
              nullable: { list: nullable, items: true },
              args: listArgs(scope, t, scope.make.componentFilters(field.target)),
              resolve: readPopulated,
            })
          : t.field({ type: scope.make.componentObject(field.target), nullable, resolve: readPopulated }),
      };
    case "zone":
      return {
        [name]: t.field({
          type: [zoneUnion(scope, field.zone)],
          nullable: { list: nullable, items: true },
          resolve: readPopulated,
        }),
      };
    case "morph":
      return {
        [name]: field.many
          ? t.field({ type: [morphUnion(scope)], nullable: { list: true, items: true }, resolve: readPopulated })
          : t.field({ type: morphUnion(scope), nullable: true, resolve: readPopulated }),
      };
    case "relation":
    case "file":
      return relationFields(scope, t, name, field);
  }
};

/** Everything that a body may write, always optional: required is a matter of publishing. */
export const inputFields = (scope: Scope, owner: Owner) => (t: InputFields) => {
  const written = entries(owner).filter(
    (entry) =>
      entry.attribute.writable !== false &&
      entry.field.kind !== "morph" &&
      pointsToEnabled(scope, entry) &&
      scope.shadow.type(owner.uid).field(entry.name).hasInputEnabled(),
  );
  return Object.fromEntries(written.map(({ name, field }) => [name, inputField(scope, t, field)]));
};

const inputField = (scope: Scope, t: InputFields, field: FieldDeclaration) => {
  switch (field.kind) {
    case "scalar":
      return t.field({ type: field.scalar });
    case "enum":
      return t.field({ type: enumRef(scope, field.enum) });
    case "component": {
      const input = scope.make.componentInput(field.target);
      return field.many ? t.field({ type: t.listRef(input, { required: false }) }) : t.field({ type: input });
    }
    case "zone":
      return t.field({ type: [zoneInputName(scope, field.zone)] });
    case "relation":
    case "file":
    case "morph":
      return field.many ? t.field({ type: t.listRef("ID", { required: false }) }) : t.id();
  }
};

export const filterFields = (scope: Scope, owner: Owner) => (t: InputFields) => {
  const filtered = entries(owner).filter(
    (entry) =>
      isVisible(entry) &&
      pointsToEnabled(scope, entry) &&
      scope.shadow.type(owner.uid).field(entry.name).hasFiltersEnabled(),
  );
  return Object.fromEntries(
    filtered.flatMap(({ name, field }) => {
      const type = filterType(scope, field);
      return type ? [[name, t.field({ type })]] : [];
    }),
  );
};

/** Enumerations are filtered as text; files, zones and polymorphic relations have no filter. */
const filterType = (scope: Scope, field: FieldDeclaration): InputRef | undefined => {
  switch (field.kind) {
    case "scalar":
      return scalarFilter(scope, field.scalar);
    case "enum":
      return scalarFilter(scope, "String");
    case "component":
      return scope.make.componentFilters(field.target);
    case "relation":
      return scope.make.filters(field.target);
    case "zone":
    case "morph":
    case "file":
      return undefined;
  }
};

/** `and`, `or` and `not` of a filter input. */
export const groups = (t: InputFields, self: InputRef) => ({
  and: t.field({ type: t.listRef(self, { required: false }) }),
  or: t.field({ type: t.listRef(self, { required: false }) }),
  not: t.field({ type: self }),
});
