/** The fields that content types have besides their attributes. The plugin's hooks leave out what is disabled. */
import type { FieldMap } from "@pothos/core";
import type { ContentType } from "../../schema/content-type.ts";
import type { InputFields, InputMembers, InputRef, ObjectFields } from "../builder.ts";
import { read } from "./ready.ts";
import { linksConnection, type Link, linksField } from "./relation.ts";
import type { Scope } from "./scope.ts";
import { scalarFilter } from "./shared-types.ts";

const TIMESTAMPS = ["createdAt", "updatedAt", "publishedAt"] as const;

const timestamps = <Field>(field: () => Field): Readonly<Record<string, Field>> =>
  Object.fromEntries(TIMESTAMPS.map((name) => [name, field()]));

/** The documentId in the flat format; in the entity format it is the entity's `id`. */
export const identityField = ({ format }: Scope, t: ObjectFields): FieldMap =>
  format === "flat" ? { documentId: t.id({ nullable: false, resolve: read }) } : {};

/** `localizations`: the same document in its other locales. In a single type it takes no list arguments. */
const localizations = (scope: Scope, t: ObjectFields, link: Link): FieldMap => ({
  localizations: linksField(scope, t, link, {}),
  ...(scope.format === "flat" ? { localizations_connection: linksConnection(scope, t, link, {}) } : {}),
});

/** @param self the link that leads to documents of the type itself */
export const systemFields = (scope: Scope, { localized }: ContentType, self: Link, t: ObjectFields): FieldMap => ({
  ...timestamps(() => t.field({ type: "DateTime", resolve: read })),
  ...(localized ? { ...localizations(scope, t, self), locale: t.string({ resolve: read }) } : {}),
});

/** Members that clients may send, though the server sets them itself. */
export const systemInputs = ({ format }: Scope, { localized }: ContentType, t: InputFields): InputMembers => ({
  ...(format === "entity" ? timestamps(() => t.field({ type: "DateTime" })) : {}),
  publishedAt: t.field({ type: "DateTime" }),
  ...(format === "flat" && !localized ? { locale: t.string() } : {}),
});

/** @param self the filter input that contains them */
export const systemFilters = (
  scope: Scope,
  { localized }: ContentType,
  t: InputFields,
  self: InputRef,
): InputMembers => ({
  ...timestamps(() => t.field({ type: scalarFilter(scope, "DateTime") })),
  ...(localized
    ? { localizations: t.field({ type: self }), locale: t.field({ type: scalarFilter(scope, "String") }) }
    : {}),
});

/** The filter by the id of a document. */
export const identityFilter = (scope: Scope, t: InputFields): InputMembers => ({
  [scope.format === "entity" ? "id" : "documentId"]: t.field({ type: scalarFilter(scope, "ID") }),
});
