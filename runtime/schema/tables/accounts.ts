/** Tables for authentication. Users and roles are not among them, since they are documents. */
import { bigint, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { columnIndex, instant, ofDocument } from "../columns.ts";

/** API tokens for other services. Only a keyed hash of the secret is stored. */
export const apiTokens = pgTable(
  "api_tokens",
  {
    id: integer("id").primaryKey().generatedByDefaultAsIdentity(),
    name: text("name").notNull(),
    description: text("description"),
    type: text("type").notNull(),
    hash: text("hash").notNull(),
    /** Action uids of a custom token. */
    permissions: json("permissions").$type<readonly string[]>().notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    createdAt: instant("created_at").notNull(),
  },
  (token) => [uniqueIndex("api_tokens_name_key").on(token.name), uniqueIndex("api_tokens_hash_key").on(token.hash)],
);

/** The actions that each role may do. */
export const rolePermissions = pgTable(
  "role_permissions",
  {
    roleDocumentId: ofDocument("role_document_id"),
    action: text("action").notNull(),
  },
  (permission) => [
    primaryKey({ name: "role_permissions_pk", columns: [permission.roleDocumentId, permission.action] }),
  ],
);

/**
 * The current token version of each user. A token contains the version at its time of issue; raising the version
 * invalidates all earlier tokens.
 */
export const userTokenVersions = pgTable("user_token_versions", {
  userDocumentId: ofDocument("user_document_id").primaryKey(),
  version: integer("version").notNull(),
});

/** Logins in refresh mode: one row from the login until it is revoked or expires. */
export const userSessions = pgTable(
  "user_sessions",
  {
    id: text("id").primaryKey(),
    userDocumentId: ofDocument("user_document_id"),
    deviceId: text("device_id"),
    deviceName: text("device_name"),
    /** The ids of the valid refresh token and of the one before it. */
    refreshId: text("refresh_id").notNull(),
    previousRefreshId: text("previous_refresh_id"),
    createdAt: instant("created_at").notNull(),
    lastActiveAt: instant("last_active_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (session) => [columnIndex(session.userDocumentId)],
);

/** Hashes of codes that were mailed or handed over. Each can be used once, until it expires. */
export const oneTimeCodes = pgTable(
  "one_time_codes",
  {
    hash: text("hash").primaryKey(),
    purpose: text("purpose").notNull(),
    userDocumentId: ofDocument("user_document_id"),
    expiresAt: instant("expires_at").notNull(),
  },
  (code) => [columnIndex(code.userDocumentId)],
);

/** The identities of users at providers. */
export const userIdentities = pgTable(
  "user_identities",
  {
    provider: text("provider").notNull(),
    subject: text("subject").notNull(),
    userDocumentId: ofDocument("user_document_id"),
  },
  (identity) => [
    primaryKey({ name: "user_identities_pk", columns: [identity.provider, identity.subject] }),
    columnIndex(identity.userDocumentId),
  ],
);

/** Counts attempts in the current interval, for all processes together. */
export const rateLimits = pgTable("rate_limits", {
  key: text("key").primaryKey(),
  points: integer("points").notNull(),
  expire: bigint("expire", { mode: "number" }),
});
