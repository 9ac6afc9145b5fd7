/** The `permissions` group of the configuration: what each role may do, and with which documents. */
import { z } from "zod";

/** The user that a condition refers to. */
export interface RuleUser {
  /** The row id, as in `filters[author][user][id]`. */
  readonly id: number;
  readonly documentId: string;
}

/** The documents that a permission covers, in the syntax of `filters`. */
export type Where = (given: { readonly user: RuleUser }) => object;

const isWhere = (value: unknown): value is Where => typeof value === "function";

const rowRule = z.strictObject({
  action: z.string(),
  where: z.custom<Where>(isWhere, "expected a function that returns filters").optional(),
  locales: z.array(z.string()).min(1).optional(),
});

/** A permission for some documents only. */
export type RowRule = z.output<typeof rowRule>;

const entry = z.union([z.string(), rowRule], "expected an action, or can(action, { where, locales })");

/** A permission: for all documents, or limited by a rule. */
export type PermissionEntry = z.output<typeof entry>;

const isRule = (each: PermissionEntry): boolean => typeof each !== "string";

/** Prefix of the keys for API tokens. The types of roles cannot contain a colon. */
export const TOKEN = "token:";

export const permissionsConfig = z
  .record(z.string(), z.array(entry))
  .refine(
    (all) => Object.entries(all).every(([key, own]) => !key.startsWith(TOKEN) || own.every(isRule)),
    "token:NAME takes rules alone, can(action, { where, locales }): a token gets its actions when it is created",
  )
  .prefault({});

const names = z.array(z.string());

/** Attributes by role type and content type: a list for reading and writing, or one for each. */
export const fieldsConfig = z
  .record(
    z.string(),
    z.record(z.string(), z.union([names, z.strictObject({ read: names.optional(), write: names.optional() })])),
  )
  .prefault({});

/** The action that an entry refers to. */
export const actionOf = (permission: PermissionEntry): string =>
  typeof permission === "string" ? permission : permission.action;

/** The actions of each role, as they are stored. Those of API tokens are not declared here. */
export const actionsByRole = (
  permissions: z.output<typeof permissionsConfig>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(permissions)
      .filter(([role]) => !role.startsWith(TOKEN))
      .map(([role, entries]) => [role, entries.map(actionOf)]),
  );
