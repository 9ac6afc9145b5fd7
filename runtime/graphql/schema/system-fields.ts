/** The fields that content types have beside their attributes. */
import type { FieldMap } from "@pothos/core";
import type { InputFields, InputMembers, InputRef, ObjectFields } from "../builder.ts";
import type { TypeDeclaration } from "../declaration.ts";
import { read } from "./read.ts";
import { localizationFields } from "./relation.ts";
import { scalarFilter } from "./scalar-filters.ts";
import type { Scope } from "./scope.ts";

const TIMESTAMPS = ["createdAt", "updatedAt", "publishedAt"] as const;

type Side = "output" | "input" | "filters";

const isThere = (scope: Scope, { type }: TypeDeclaration, name: string, side: Side): boolean => {
  const field = scope.shadow.type(type.uid).field(name);
  if (side === "input") return field.hasInputEnabled();
  const enabled = side === "output" ? field.hasOutputEnabled() : field.hasFiltersEnabled();
  return enabled && type.privateFields?.includes(name) !== true;
};

/** By the name of a field: what makes it, and whatever else comes with it. */
type Makers<Map> = Readonly<Record<string, () => Map>>;

/** Makes what is there; what is left out is never made, so that types that only it needs stay out too. */
const make = <Map>(scope: Scope, declaration: TypeDeclaration, side: Side, makers: Makers<Map>): readonly Map[] =>
  Object.entries(makers)
    .filter(([name]) => isThere(scope, declaration, name, side))
    .map(([, maker]) => maker());

const timestamps = <Field>(
  field: () => Field,
  names: readonly string[] = TIMESTAMPS,
): Makers<Readonly<Record<string, Field>>> =>
  Object.fromEntries(names.map((name) => [name, () => ({ [name]: field() })]));

/** The documentId of the flat format; in the entity format the entity carries it. */
export const identityField = (scope: Scope, declaration: TypeDeclaration, t: ObjectFields): FieldMap =>
  scope.format === "flat" && isThere(scope, declaration, "documentId", "output")
    ? { documentId: t.id({ resolve: read }) }
    : {};

export const systemFields = (scope: Scope, declaration: TypeDeclaration, t: ObjectFields): FieldMap => {
  const locales: Makers<FieldMap> = {
    localizations: () => localizationFields(scope, t, declaration),
    locale: () => ({ locale: t.string({ nullable: true, resolve: read }) }),
  };
  const makers: Makers<FieldMap> = {
    ...timestamps(() => t.field({ type: "DateTime", nullable: true, resolve: read })),
    ...(declaration.type.localized ? locales : {}),
  };
  return Object.assign({}, ...make(scope, declaration, "output", makers));
};

/** Members that are accepted where clients send them; the server sets them itself. */
export const systemInputs = (scope: Scope, declaration: TypeDeclaration, t: InputFields): InputMembers => {
  const makers: Makers<InputMembers> = {
    ...timestamps(() => t.field({ type: "DateTime" }), scope.format === "entity" ? TIMESTAMPS : ["publishedAt"]),
    ...(scope.format === "flat" && !declaration.type.localized ? { locale: () => ({ locale: t.string() }) } : {}),
  };
  return Object.assign({}, ...make(scope, declaration, "input", makers));
};

/** @param self the filter input that they are part of */
export const systemFilters = (
  scope: Scope,
  declaration: TypeDeclaration,
  t: InputFields,
  self: InputRef,
): InputMembers => {
  const locales: Makers<InputMembers> = {
    localizations: () => ({ localizations: t.field({ type: self }) }),
    locale: () => ({ locale: t.field({ type: scalarFilter(scope, "String") }) }),
  };
  const makers: Makers<InputMembers> = {
    ...timestamps(() => t.field({ type: scalarFilter(scope, "DateTime") })),
    ...(declaration.type.localized ? locales : {}),
  };
  return Object.assign({}, ...make(scope, declaration, "filters", makers));
};

/** The id that a filter knows a document by. */
export const identityFilter = (scope: Scope, declaration: TypeDeclaration, t: InputFields): InputMembers => {
  if (!isThere(scope, declaration, "documentId", "filters")) return {};
  return { [scope.format === "entity" ? "id" : "documentId"]: t.field({ type: scalarFilter(scope, "ID") }) };
};
