/** Relations and files of a batch of rows, and of the component entries inside them. */
import { numberOf, requiredText, type Session } from "../../../runtime/database/database.ts";
import type { Owner } from "../../archive/component-entries.ts";
import { append } from "../../base/lists.ts";

export interface LinkedDocument {
  readonly type: string;
  readonly documentId: string;
  /** Its position in the list of the other side. */
  readonly place: number | null;
  /** The version that it targets, if the other side does not show it; null if it targets the document. */
  readonly version: string | null;
}

/** The links from the rows of a batch, in order. */
export type BatchLinks = Awaited<ReturnType<typeof readBatchLinks>>;

const ownerKey = ({ type, ref }: Owner): string => `${type} ${ref}`;

/** A value per owner and attribute. */
const createTable = <Value>() => {
  const table = new Map<string, Map<string, Value[]>>();
  return {
    add(owner: Owner, attribute: string, value: Value): void {
      const key = ownerKey(owner);
      const attributes = table.get(key) ?? new Map<string, Value[]>();
      table.set(key, attributes);
      append(attributes, attribute, value);
    },
    of: (owner: Owner, attribute: string): readonly Value[] => table.get(ownerKey(owner))?.get(attribute) ?? [],
    attributes: (owner: Owner): readonly string[] => [...(table.get(ownerKey(owner))?.keys() ?? [])],
  };
};

/** Owners in the form that the statements take. */
const owned = "(select * from unnest($1::text[], $2::integer[]) as owner(type, ref)) as owner";

const DOCUMENTS = `
  select owner.type, owner.ref, link.left_field, link.right_type, coalesce(link.right_document, target.document_id),
    link.place, target.is_document or documents.document_id is not null,
    case when link.right_field is null then
      case when target.states = 'draft' then 'draft' else 'published' end || coalesce(' ' || target.locale, '')
    end
  from ${owned}
  join cms_import.links as link on link.left_type = owner.type and link.left_ref = owner.ref
  left join cms_import.entities as target on target.type = link.right_type and target.ref = link.right_ref
  left join documents on documents.document_id = link.right_document and documents.type = link.right_type
  where link.left_field <> 'localizations'
  order by link.left_pos nulls last, link.right_pos nulls last, target.is_draft desc, link.seq`;

const FILES = `
  select owner.type, owner.ref, link.right_field, file.target_id
  from ${owned}
  join cms_import.links as link on link.right_type = owner.type and link.right_ref = owner.ref
  left join cms_import.entities as file on file.type = 'plugin::upload.file' and file.ref = link.left_ref
  where link.left_type = 'plugin::upload.file' and link.left_field = 'related' and link.right_field is not null
  order by link.right_pos nulls last, link.seq`;

/** Reads the links from `owners`. */
export const readBatchLinks = async (session: Session, owners: readonly Owner[]) => {
  const parameters = [owners.map(({ type }) => type), owners.map(({ ref }) => ref)];
  const documents = createTable<LinkedDocument>();
  const files = createTable<number>();
  /** The missing targets. */
  const missing: { readonly owner: Owner; readonly attribute: string; readonly reason: string }[] = [];
  for (const row of await session.rows(DOCUMENTS, parameters)) {
    const [type, ref, field, target, documentId, place, isDocument, version] = row;
    const owner = { type: requiredText(type), ref: numberOf(ref) };
    const attribute = requiredText(field);
    if (isDocument !== true) {
      const reason = `leads to a row of ${requiredText(target)} that is not taken over`;
      missing.push({ owner, attribute, reason });
      continue;
    }
    documents.add(owner, attribute, {
      type: requiredText(target),
      documentId: requiredText(documentId),
      place: typeof place === "number" ? place : null,
      version: typeof version === "string" ? version : null,
    });
  }
  for (const [type, ref, field, id] of await session.rows(FILES, parameters)) {
    const owner = { type: requiredText(type), ref: numberOf(ref) };
    const attribute = requiredText(field);
    if (typeof id === "number") files.add(owner, attribute, id);
    else missing.push({ owner, attribute, reason: "leads to a file that is not there" });
  }
  return {
    documents: documents.of,
    files: files.of,
    /** The owner's attributes with links, including those that no longer exist here. */
    attributes: (owner: Owner) => [...documents.attributes(owner), ...files.attributes(owner)],
    missing,
  };
};

/**
 * Computes positions in the lists of inverse sides, since the source's numbers have gaps and fractions. Our own exports
 * already contain positions.
 */
export const placeLinks = (session: Session, isOwn: boolean): Promise<unknown> =>
  isOwn
    ? session.rows(
        "update cms_import.links set place = right_pos where right_field is not null and right_pos is not null",
      )
    : session.rows(`
    update cms_import.links as link set place = counted.number
    from (
      select seq, row_number() over (
        partition by right_type, right_ref, right_field, left_type, left_field order by right_pos, left_ref
      ) as number
      from cms_import.links where right_field is not null and right_pos is not null and left_field is not null
    ) as counted
    where counted.seq = link.seq`);
