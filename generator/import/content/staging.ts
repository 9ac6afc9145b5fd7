/**
 * Stages what an import has read until it is complete: in tables in a separate schema, so memory does not grow with the
 * archive, and the project's tables stay untouched if the archive turns out to be truncated.
 */
import { SetupError } from "../../../runtime/base/thrown.ts";
import type { Session } from "../../../runtime/database/database.ts";

/** Removes what an import leaves behind, completed or killed. */
export const dropStaging = (session: Session): Promise<void> =>
  session.script(
    "set client_min_messages = warning; drop schema if exists cms_import cascade; reset client_min_messages",
  );

const TABLES = `
  set client_min_messages = warning;
  create schema if not exists cms_import;
  create table if not exists cms_import.reserved (
    archive text not null,
    name text not null,
    value integer not null,
    primary key (archive, name)
  );
  drop table if exists cms_import.entities, cms_import.contents, cms_import.links, cms_import.objects, cms_import.taken;
  create unlogged table cms_import.entities (
    type text not null,
    ref integer not null,
    document_id text,
    locale text,
    is_draft boolean not null,
    created_at text,
    -- The states of the version that the row becomes: draft, published, or both; null where it is left out, for a reason.
    states text,
    reason text,
    -- Whether its document is there, so that relations may lead to it.
    is_document boolean not null default false,
    -- Rows of version 4 that are one document have the ref of the first of them.
    root integer not null,
    -- The id here, of files.
    target_id integer,
    primary key (type, ref)
    -- Room for what is worked out about rows, so that indexes stay as they are.
  ) with (autovacuum_enabled = false, fillfactor = 40);
  -- Apart, because rows are written anew whenever something is worked out about them.
  create unlogged table cms_import.contents (
    type text not null,
    ref integer not null,
    data text not null,
    primary key (type, ref)
  ) with (autovacuum_enabled = false);
  create unlogged table cms_import.links (
    seq integer primary key,
    left_type text not null,
    left_field text,
    left_ref integer not null,
    left_pos double precision,
    right_type text not null,
    right_field text,
    -- Null where the link leads to a document of which the archive has no fitting row.
    right_ref integer,
    right_document text,
    right_pos double precision,
    -- The place in the list that the other side sees.
    place integer
  ) with (autovacuum_enabled = false, fillfactor = 60);
  create unlogged table cms_import.objects (key text primary key, size bigint not null);
  -- The objects of the files that were here before.
  create unlogged table cms_import.taken as
    select concat(hash, ext) as key, document_id, size from files
    union all
    select concat(format.value ->> 'hash', format.value ->> 'ext'), document_id, null from files, json_each(case when json_typeof(formats) = 'object' then formats end) as format;
  create index on cms_import.taken (key);
  reset client_min_messages;
`;

/**
 * Creates the tables, empty.
 *
 * `reserved` survives a killed import, so a second one of the same archive gives rows the same ids.
 */
export const prepareStaging = (session: Session): Promise<void> => session.script(TABLES);

/** Indexes for reading the tables, created once they are full. */
export const finishStaging = (session: Session): Promise<void> =>
  session.script(`
    create index on cms_import.links (left_type, left_ref);
    create index on cms_import.links (right_type, right_ref);
    create index on cms_import.entities (type, document_id);
    analyze cms_import.entities;
    analyze cms_import.contents;
    analyze cms_import.links;
  `);

/**
 * @param rows by the names of columns
 * @throws SetupError for a duplicate row: which one is right is unknown
 */
export const insertEntities = async (
  session: Session,
  rows: readonly { readonly type: string; readonly ref: number }[],
): Promise<void> => {
  const inserted = await session.rows(
    `with given as (
       select * from json_to_recordset($1::json)
         as row(type text, ref integer, document_id text, locale text, is_draft boolean, created_at text, data text)
     ), contents as (
       insert into cms_import.contents (type, ref, data) select type, ref, data from given on conflict do nothing
     )
     insert into cms_import.entities (type, ref, document_id, locale, is_draft, created_at, root)
     select type, ref, document_id, locale, is_draft, created_at, ref from given on conflict do nothing returning type, ref`,
    [JSON.stringify(rows)],
  );
  if (inserted.length === rows.length) return;
  const left = new Set(inserted.map(([type, ref]) => `${String(type)} ${String(ref)}`));
  const again = rows.map(({ type, ref }) => `${type} ${ref}`).find((row) => !left.delete(row));
  throw new SetupError(`the export has the row ${again} twice: which of the two holds is not known.`);
};

/** @param rows links by the names of columns */
export const insertLinks = (session: Session, rows: readonly object[]): Promise<unknown> =>
  session.rows("insert into cms_import.links select * from json_populate_recordset(null::cms_import.links, $1::json)", [
    JSON.stringify(rows),
  ]);

/** Whether an existing file has this object. */
export const isTaken = async (session: Session, key: string): Promise<boolean> =>
  (await session.rows("select 1 from cms_import.taken where key = $1 limit 1", [key])).length > 0;

export const insertObject = (session: Session, key: string, size: number): Promise<unknown> =>
  session.rows("insert into cms_import.objects (key, size) values ($1, $2) on conflict do nothing", [key, size]);
