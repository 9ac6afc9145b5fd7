/** Exports what Strapi stores as rows, and we do not store as documents: role permissions and locales. */
import { getTableName } from "drizzle-orm";
import { EVERYTHING } from "../../runtime/accounts/roles/everything.ts";
import { roleUid } from "../../runtime/accounts/roles/roles.ts";
import type { Config } from "../../runtime/config/config.ts";
import { numberOf, requiredText, type Session } from "../../runtime/database/database.ts";
import { describeLocales } from "../../runtime/http/rest/locales.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { documentIdOf } from "./document-id.ts";
import type { LineFiles } from "./line-files.ts";

const PERMISSION = "plugin::users-permissions.permission";
const LOCALE = "plugin::i18n.locale";

const permissionLink = (ref: number, role: number): string =>
  JSON.stringify({
    kind: "relation.basic",
    relation: "manyToOne",
    left: { type: PERMISSION, field: "role", ref },
    right: { type: roleUid, field: "permissions", ref: role, pos: 1 },
  });

/** @param at the dates of rows that have none here */
export const exportPermissions = async (
  session: Session,
  registry: Registry,
  lines: LineFiles,
  at: string,
): Promise<void> => {
  if (!registry.has(roleUid)) return;
  const roles = getTableName(registry.contentType(roleUid).table);
  const rows = await session.rows(
    `select role.id, role.document_id, permission.action from role_permissions as permission
     join "${roles}" as role on role.document_id = permission.role_document_id
     where permission.action <> '${EVERYTHING}'
     order by role.id, permission.action collate "C"`,
  );
  const dates = { createdAt: at, updatedAt: at, publishedAt: at };
  for (const [index, [role, roleDocument, action]] of rows.entries()) {
    const id = index + 1;
    const documentId = documentIdOf(`${requiredText(roleDocument)} ${requiredText(action)}`);
    const data = { documentId, action, ...dates, locale: null };
    await lines.addEntity(PERMISSION, id, data);
    await lines.add("links", permissionLink(id, numberOf(role)));
  }
};

/** Locales, and which of them is the default. */
export const exportLocales = async (config: Pick<Config, "locales">, lines: LineFiles, at: string): Promise<void> => {
  const dates = { createdAt: at, updatedAt: at, publishedAt: at };
  for (const { id, documentId, name, code } of describeLocales(config)) {
    const data = { documentId, name, code, ...dates, locale: null };
    await lines.addEntity(LOCALE, id, data);
  }
  const key = "plugin_i18n_default_locale";
  const value = { id: 1, key, value: config.locales.default, type: "string", environment: null, tag: null };
  await lines.add("configuration", JSON.stringify({ type: "core-store", value }));
};
