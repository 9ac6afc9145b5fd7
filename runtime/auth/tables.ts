/** What authentication keeps in the database, besides users and roles, which are documents. */
import { type AnyPgColumn, integer, json, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { documents, instant } from "../columns.ts";

/** Tokens of other services. Only a keyed hash of the secret is kept. */
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

/** The actions that a role may do. */
export const rolePermissions = pgTable(
  "role_permissions",
  {
    roleDocumentId: text("role_document_id")
      .notNull()
      .references((): AnyPgColumn => documents.documentId, { onDelete: "cascade" }),
    action: text("action").notNull(),
  },
  (permission) => [
    primaryKey({ name: "role_permissions_pk", columns: [permission.roleDocumentId, permission.action] }),
  ],
);
