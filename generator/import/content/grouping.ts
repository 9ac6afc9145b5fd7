/** Assigns each staged row to a document. */
import { getTableName } from "drizzle-orm";
import { roleUid } from "../../../runtime/accounts/roles/roles.ts";
import type { Session } from "../../../runtime/database/database.ts";
import type { Registry } from "../../../runtime/schema/registry.ts";

/** Rows that are locales of one entry usually link to each other: the lowest ref wins. */
const joinLocales = async (session: Session): Promise<void> => {
  for (;;) {
    const changed = await session.rows(`
      update cms_import.entities as entity set root = lowest.root
      from (
        select link.left_type as type, link.left_ref as ref, min(other.root) as root
        from cms_import.links as link
        join cms_import.entities as other on other.type = link.right_type and other.ref = link.right_ref
        where link.left_field = 'localizations' group by 1, 2
      ) as lowest
      where entity.type = lowest.type and entity.ref = lowest.ref and lowest.root < entity.root
      returning 1`);
    if (changed.length === 0) return;
  }
};

/**
 * Gives version 4 rows the documentIds that they lack: the locales of one entry share one. It is derived from the
 * entry's type, id and date, so another import produces the same ids.
 */
const makeDocumentIds = async (session: Session): Promise<void> => {
  await joinLocales(session);
  // Two rows of one locale are two documents, whatever their links say.
  await session.rows(`
    update cms_import.entities as entity set root = entity.ref
    from (
      select type, ref, row_number() over (partition by type, root, locale order by ref) as number
      from cms_import.entities where document_id is null
    ) as counted
    where counted.number > 1 and entity.type = counted.type and entity.ref = counted.ref`);
  await session.rows(`
    update cms_import.entities as entity
    set document_id = 'v' || left(md5(first.type || ':' || first.ref || ':' || coalesce(first.created_at, '')), 23)
    from cms_import.entities as first
    where entity.document_id is null and first.type = entity.type and first.ref = entity.root`);
};

/** Roles are matched by type: every project has `public` and `authenticated`. */
const adoptRoles = async (session: Session, registry: Registry): Promise<void> => {
  if (!registry.has(roleUid)) return;
  const table = getTableName(registry.contentType(roleUid).table);
  await session.rows(
    `update cms_import.entities as entity set document_id = role.document_id
     from "${table}" as role, cms_import.contents as content
     where entity.type = $1 and content.type = entity.type and content.ref = entity.ref
       and role.type = content.data::json ->> 'type'`,
    [roleUid],
  );
};

/** Gives every staged row the documentId that it will be stored under. */
export const groupRows = async (session: Session, registry: Registry): Promise<void> => {
  await makeDocumentIds(session);
  await adoptRoles(session, registry);
};
