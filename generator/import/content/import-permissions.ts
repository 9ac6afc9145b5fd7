/** Role permissions: in the source, rows with a link to their role. */
import { system } from "../../../runtime/access/caller.ts";
import { permissionChange, roleUid } from "../../../runtime/accounts/roles/roles.ts";
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import { type Recorder, recordAct } from "../../../runtime/documents/recorders.ts";
import type { Tally } from "./import-type.ts";
import type { Report } from "./report.ts";

export const PERMISSION = "plugin::users-permissions.permission";

const GRANTED = `
  select distinct role.document_id, permission.data::json ->> 'action' as action, named.data::json ->> 'type' as type
  from cms_import.contents as permission
  join cms_import.links as link
    on link.left_type = permission.type and link.left_ref = permission.ref and link.left_field = 'role'
  join cms_import.entities as role on role.type = link.right_type and role.ref = link.right_ref
  join cms_import.contents as named on named.type = role.type and named.ref = role.ref
  where permission.type = $1 and role.type = $2 and role.is_document`;

const GRANTING = `
  with given as (select * from json_to_recordset($1::json) as row(role_document_id text, action text, type text)),
  created as (
    insert into role_permissions (role_document_id, action) select role_document_id, action from given
    on conflict do nothing returning role_document_id, action)
  select role_document_id, max(type), string_agg(action, ' ' order by action), count(*)::int
  from created join given using (role_document_id, action) group by 1 order by 1`;

/**
 * Grants the roles the permissions that they had in the source; existing grants stay.
 *
 * @param grantable the existing actions: others would be meaningless
 */
export const importPermissions = async (
  session: Session,
  report: Report,
  grantable: ReadonlySet<string>,
  recorders: readonly Recorder[],
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
  const given = JSON.stringify(granted.map(([role, action, type]) => ({ role_document_id: role, action, type })));
  return session.transaction(async (transaction) => {
    let created = 0;
    for (const [role, type, actions, count] of await transaction.rows(GRANTING, [given])) {
      const subject = { documentId: requiredText(role), type: String(type) };
      const change = permissionChange(subject, { granted: requiredText(actions).split(" ") });
      await recordAct(transaction, recorders, change, system);
      created += numberOf(count);
    }
    return { created, present: granted.length - created };
  });
};
