/** The content types of every application: users and their roles. */
import { checkShape } from "../schema/check-shape.ts";
import type { ContentTypeFile } from "../schema/schema-file.ts";
import role from "./role.json" with { type: "json" };
import user from "./user.json" with { type: "json" };

const builtIn = (folder: string, schema: unknown): ContentTypeFile => {
  const found = { kind: "contentType", path: "", owner: "plugin::users-permissions", folder, extended: false } as const;
  const { file } = checkShape(found, `${folder}.json`, schema);
  if (file?.kind !== "contentType") throw new Error(`the built-in schema of ${folder} has errors`);
  return { ...file, file: undefined };
};

export const usersPermissions: readonly ContentTypeFile[] = [builtIn("role", role), builtIn("user", user)];
