/** An application with users, roles, and articles that belong to users: what tests of authentication need. */
import { boolean, varchar } from "drizzle-orm/pg-core";
import { pgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Application } from "../../runtime/app/application.ts";
import { can, router } from "../../runtime/http/rest/index.ts";
import { toDocument, uniqueAmongPublished, versionColumns, versionIndexes } from "../../runtime/schema/columns.ts";
import { defineContentType, type DocumentFields, type Uid } from "../../runtime/schema/content-type.ts";
import { email, password, toOne } from "../../runtime/schema/validators.ts";

interface UserDocument extends DocumentFields {
  username: string;
  email: string;
  provider: string | null;
  password?: string | null;
  resetPasswordToken?: string | null;
  confirmationToken?: string | null;
  confirmed: boolean | null;
  blocked: boolean | null;
  role?: RoleDocument | null;
  nickname: string | null;
  internalNote?: string | null;
}
interface RoleDocument extends DocumentFields {
  name: string;
  description: string | null;
  type: string | null;
  users?: UserDocument[];
}
interface Article extends DocumentFields {
  title: string | null;
  owner?: UserDocument | null;
}

export const users = pgTable(
  "up_users",
  {
    ...versionColumns(),
    username: varchar("username", { length: 255 }),
    email: varchar("email", { length: 255 }),
    provider: varchar("provider", { length: 255 }),
    password: varchar("password", { length: 255 }),
    resetPasswordToken: varchar("reset_password_token", { length: 255 }),
    confirmationToken: varchar("confirmation_token", { length: 255 }),
    confirmed: boolean("confirmed"),
    blocked: boolean("blocked"),
    role: toDocument("role_document_id"),
    nickname: varchar("nickname", { length: 255 }),
    internalNote: varchar("internal_note", { length: 255 }),
  },
  (user) => [
    ...versionIndexes(user),
    uniqueAmongPublished(user.username, user),
    uniqueAmongPublished(user.email, user),
  ],
);
export const roles = pgTable(
  "up_roles",
  {
    ...versionColumns(),
    name: varchar("name", { length: 255 }),
    description: varchar("description", { length: 255 }),
    type: varchar("type", { length: 255 }),
  },
  (role) => versionIndexes(role),
);
export const articles = pgTable(
  "articles",
  { ...versionColumns(), title: varchar("title", { length: 255 }), owner: toDocument("owner_document_id") },
  (article) => versionIndexes(article),
);

const names = (uid: Uid, singularName: string) => ({
  uid,
  kind: "collectionType" as const,
  singularName,
  pluralName: `${singularName}s`,
  displayName: singularName,
  draftAndPublish: false,
  localized: false,
});

const user = defineContentType<UserDocument>({
  ...names("plugin::users-permissions.user", "user"),
  table: users,
  attributes: {
    username: { type: "string", column: users.username, unique: true },
    email: { type: "email", column: users.email },
    provider: { type: "string", column: users.provider },
    password: { type: "password", column: users.password, private: true },
    resetPasswordToken: { type: "string", column: users.resetPasswordToken, private: true },
    confirmationToken: { type: "string", column: users.confirmationToken, private: true },
    confirmed: { type: "boolean", column: users.confirmed },
    blocked: { type: "boolean", column: users.blocked },
    role: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.role",
      column: users.role,
    },
    nickname: { type: "string", column: users.nickname },
    internalNote: { type: "string", column: users.internalNote, private: true },
  },
});

const role = defineContentType<RoleDocument>({
  ...names("plugin::users-permissions.role", "role"),
  table: roles,
  attributes: {
    name: { type: "string", column: roles.name },
    description: { type: "string", column: roles.description },
    type: { type: "string", column: roles.type, unique: true },
    users: {
      type: "relation",
      relation: "oneToMany",
      target: "plugin::users-permissions.user",
      mappedBy: "role",
      private: true,
    },
  },
});

const article = defineContentType<Article>({
  ...names("api::article.article", "article"),
  table: articles,
  attributes: {
    title: { type: "string", column: articles.title },
    owner: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.user",
      column: articles.owner,
    },
  },
});

const line = z.string().max(255).nullish();
const roleSchema = z.object({
  name: z.string().min(3).max(255),
  description: line,
  type: line,
});
const userSchema = z.object({
  username: z.string().min(3).max(255),
  email: email().min(6).max(255),
  provider: line,
  password: password().min(6).nullish(),
  resetPasswordToken: line,
  confirmationToken: line,
  confirmed: z.boolean().nullish().default(false),
  blocked: z.boolean().nullish().default(false),
  role: toOne().nullish(),
  nickname: line,
  internalNote: line,
});
const articleSchema = z.object({ title: line, owner: toOne().nullish() });

/** Each route answers who was let through. */
const articleRoutes = router()
  .get("/articles", can("api::article.article.find"), (c) => c.json({ data: [] }))
  .post("/articles", can("api::article.article.create"), (c) => c.json({ data: {} }, 201))
  .get("/articles/:documentId", can("api::article.article.findOne"), (c) => {
    const { can: _can, ...caller } = c.get("caller");
    return c.json(caller);
  });

export const tables = { users, roles, articles };

export const usersApplication: Application = {
  contentTypes: {
    [article.uid]: { type: article, validator: articleSchema, routes: articleRoutes },
    [role.uid]: { type: role, validator: roleSchema },
    [user.uid]: { type: user, validator: userSchema },
  },
  components: {},
  extensions: {},
};
