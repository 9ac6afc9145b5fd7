/** The content types of every application: users and their roles. */
import type { ContentTypeSchema } from "../schema/file-shapes.ts";
import type { ContentTypeFile } from "../schema/schema-file.ts";

const token = { type: "string", private: true, searchable: false, configurable: false } as const;

const user: ContentTypeSchema = {
  kind: "collectionType",
  collectionName: "up_users",
  info: { singularName: "user", pluralName: "users", displayName: "User" },
  options: { draftAndPublish: false },
  attributes: {
    username: { type: "string", required: true, unique: true, minLength: 3, configurable: false },
    email: { type: "email", required: true, unique: true, minLength: 6, configurable: false },
    provider: { type: "string", configurable: false },
    password: { type: "password", minLength: 6, private: true, searchable: false, configurable: false },
    resetPasswordToken: token,
    confirmationToken: token,
    confirmed: { type: "boolean", default: false, configurable: false },
    blocked: { type: "boolean", default: false, configurable: false },
    role: {
      type: "relation",
      relation: "manyToOne",
      target: "plugin::users-permissions.role",
      inversedBy: "users",
      configurable: false,
    },
  },
};

const role: ContentTypeSchema = {
  kind: "collectionType",
  collectionName: "up_roles",
  info: { singularName: "role", pluralName: "roles", displayName: "Role" },
  options: { draftAndPublish: false },
  attributes: {
    name: { type: "string", required: true, minLength: 3, configurable: false },
    description: { type: "string", configurable: false },
    type: { type: "string", unique: true, configurable: false },
    users: {
      type: "relation",
      relation: "oneToMany",
      target: "plugin::users-permissions.user",
      mappedBy: "role",
      configurable: false,
    },
  },
};

const builtIn = (uid: string, schema: ContentTypeSchema): ContentTypeFile => ({
  kind: "contentType",
  uid,
  file: undefined,
  schema,
  extension: undefined,
});

export const usersPermissions: readonly ContentTypeFile[] = [
  builtIn("plugin::users-permissions.role", role),
  builtIn("plugin::users-permissions.user", user),
];
