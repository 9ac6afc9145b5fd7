/** The generated routes, as far as project routes could conflict with them. */
import { z } from "zod";
import type { SchemaCopy } from "../schemas.ts";

export interface GeneratedRoute {
  readonly uid: string;
  readonly action: string;
  readonly method: string;
  /** Below the REST prefix, with `:id` for the document's identifier. */
  readonly path: string;
}

const shape = z.looseObject({
  kind: z.string().optional(),
  info: z.looseObject({ singularName: z.string(), pluralName: z.string() }),
});

const ofCollection = (uid: string, plural: string): readonly GeneratedRoute[] => [
  { uid, action: "find", method: "GET", path: `/${plural}` },
  { uid, action: "findOne", method: "GET", path: `/${plural}/:id` },
  { uid, action: "create", method: "POST", path: `/${plural}` },
  { uid, action: "update", method: "PUT", path: `/${plural}/:id` },
  { uid, action: "delete", method: "DELETE", path: `/${plural}/:id` },
];

const ofSingle = (uid: string, singular: string): readonly GeneratedRoute[] => [
  { uid, action: "find", method: "GET", path: `/${singular}` },
  { uid, action: "update", method: "PUT", path: `/${singular}` },
  { uid, action: "delete", method: "DELETE", path: `/${singular}` },
];

/** The routes of the types. */
export const generatedRoutes = (copies: readonly SchemaCopy[]): readonly GeneratedRoute[] =>
  copies.flatMap(({ uid, json }) => {
    const found = shape.safeParse(json);
    if (uid === undefined || !found.success) return [];
    const { kind, info } = found.data;
    return kind === "singleType" ? ofSingle(uid, info.singularName) : ofCollection(uid, info.pluralName);
  });
