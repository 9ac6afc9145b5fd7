/** Uploaded files: a type of the runtime's own, in the shapes of both formats. */
import type { InputRef, ObjectRef } from "../builder.ts";
import type { ScalarName } from "../declaration.ts";
import { groups } from "./fields.ts";
import { read } from "./read.ts";
import type { Subject } from "./responses.ts";
import { scalarFilter } from "./scalar-filters.ts";
import type { Scope } from "./scope.ts";

const UPLOAD_FILE = "UploadFile";

/** What a file shows, in the order of the schema; `required` ones are never null. */
const FILE_FIELDS: readonly { readonly name: string; readonly scalar: ScalarName; readonly required?: true }[] = [
  { name: "name", scalar: "String", required: true },
  { name: "alternativeText", scalar: "String" },
  { name: "caption", scalar: "String" },
  { name: "focalPoint", scalar: "JSON" },
  { name: "width", scalar: "Int" },
  { name: "height", scalar: "Int" },
  { name: "formats", scalar: "JSON" },
  { name: "hash", scalar: "String", required: true },
  { name: "ext", scalar: "String" },
  { name: "mime", scalar: "String", required: true },
  { name: "size", scalar: "Float", required: true },
  { name: "url", scalar: "String", required: true },
  { name: "previewUrl", scalar: "String" },
  { name: "provider", scalar: "String", required: true },
  { name: "provider_metadata", scalar: "JSON" },
];

const INSTANTS = ["createdAt", "updatedAt", "publishedAt"] as const;

export const fileObject = (scope: Scope): ObjectRef =>
  scope.refs.implementedObject(UPLOAD_FILE, (ref) =>
    ref.implement({
      fields: (t) => ({
        ...(scope.format === "flat" ? { documentId: t.id({ resolve: read }) } : {}),
        ...Object.fromEntries(
          FILE_FIELDS.map(({ name, scalar, required }) => [
            name,
            t.field({ type: scalar, nullable: required !== true, resolve: read }),
          ]),
        ),
        ...Object.fromEntries(
          INSTANTS.map((name) => [name, t.field({ type: "DateTime", nullable: true, resolve: read })]),
        ),
      }),
    }),
  );

export const fileFilters = (scope: Scope): InputRef =>
  scope.refs.implementedInput(`${UPLOAD_FILE}FiltersInput`, (ref) =>
    ref.implement({
      fields: (t) => ({
        [scope.format === "entity" ? "id" : "documentId"]: t.field({ type: scalarFilter(scope, "ID") }),
        ...Object.fromEntries(
          FILE_FIELDS.map(({ name, scalar }) => [name, t.field({ type: scalarFilter(scope, scalar) })]),
        ),
        ...Object.fromEntries(INSTANTS.map((name) => [name, t.field({ type: scalarFilter(scope, "DateTime") })])),
        ...groups(t, ref),
      }),
    }),
  );

export const fileSubject = (scope: Scope): Subject => ({ name: UPLOAD_FILE, object: () => fileObject(scope) });
