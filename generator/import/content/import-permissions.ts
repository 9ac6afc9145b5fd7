/** Role permissions: in the source, rows with a link to their role. */
import { roleUid } from "../../../runtime/accounts/roles/roles.ts";
import { requiredText, type Session } from "../../../runtime/database/database.ts";
import type { Tally } from "./import-type.ts";
import type { Report } from "./report.ts";

export const PERMISSION = "plugin::users-permissions.permission";

const GRANTED = `
  select distinct role.document_id, permission.data::json ->> 'action' as action
  from cms_import.contents as permission
  join cms_import.links as link
    on link.left_type = permission.type and link.left_ref = permission.ref and link.left_field = 'role'
  join cms_import.entities as role on role.type = link.right_type and role.ref = link.right_ref
  where permission.type = $1 and role.type = $2 and role.is_document`;

/**
 * Grants the roles the permissions that they had in the source; existing grants stay.
 *
 * @param grantable the existing actions: others would be meaningless
 */
export const importPermissions = async (
  session: Session,
  report: Report,
  grantable: ReadonlySet<string>,
): Promise<Tally> => {
  const parameters = [PERMISSION, roleUid];
  const rows = await session.rows(`${GRANTED} order by 1, 2`, parameters);
  const granted = rows.filter(([role, action]) => {
    const isKnown = grantable.has(String(action));
    if (!isKnown) {
      const reason = "there is no such action here";
      report.add({
        weight: "lost",
        type: PERMISSION,
        documentId: requiredText(role),
        attribute: String(action),
        reason,
      });
    }
    return isKnown;
  });
  const created = await session.rows(
    `insert into role_permissions (role_document_id, action)
     select * from json_to_recordset($1::json) as row(role_document_id text, action text)
     on conflict do nothing returning 1`,
    [JSON.stringify(granted.map(([role, action]) => ({ role_document_id: role, action })))],
  );
  return { created: created.length, present: granted.length - created.length };
};
