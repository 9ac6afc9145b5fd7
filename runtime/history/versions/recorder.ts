/** Keeps versions of documents, in the transactions that create, overwrite or delete them. */
import { sql } from "drizzle-orm";
import { callerText } from "../../access/stored-caller.ts";
import { type Bound, statementOf } from "../../database/database.ts";
import type { Recorder, VersionChange } from "../../documents/recorders.ts";
import { value } from "../../documents/sql/version.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { contentOf, entryKeys, SYSTEM_NAMES } from "./content.ts";
import { documentVersions as versions } from "./tables.ts";

const lists = ["documentId", "locale", "status", "action"] as const;

/** Whether two contents differ in anything but their timestamps. */
const DIFFERS = sql`last.content is null or jsonb_strip_nulls(kept.content::jsonb - ${value("system")}::text[])
  <> jsonb_strip_nulls(last.content::jsonb - ${value("system")}::text[])`;

/** Ignores the ids of entries. Within texts, JSON has a backslash before each quotation mark. */
const compared = (text: "kept" | "last") =>
  sql`case when key = any(${value("entries")}::text[]) then regexp_replace(${sql.raw(text)}.value, '"id":\\d+,?', '', 'g') else ${sql.raw(text)}.value end`;

const changedNames = sql`(select coalesce(json_agg(key order by key), '[]') from json_each_text(kept.content) as kept
    full join json_each_text(last.content) as last using (key)
  where key <> all(${value("system")}::text[]) and ${compared("kept")} is distinct from ${compared("last")})`;

/** Keeps versions as they are stored now: all of them, or, of those that are only `found`, the ones not kept yet. */
const statementFor = (type: ContentType) =>
  statementOf(type.table, "keep", () => {
    const { table } = type;
    const locale = table.locale ? sql` and ${table.locale} = wanted.locale` : sql``;
    return sql`insert into ${versions} (type, document_id, locale, status, action, at, caller, changed, content)
      select ${value("type")}::text, wanted.document_id, wanted.locale, wanted.status, wanted.action,
        case wanted.action when 'found' then ${table.updatedAt} else now() at time zone 'utc' end,
        case wanted.action when 'found' then null else ${value("caller")}::json end,
        case when last.content is not null then ${changedNames} end, kept.content
      from unnest(${value("documentId")}::text[], ${value("locale")}::text[], ${value("status")}::text[],
          ${value("action")}::text[], ${value("mayBeSame")}::boolean[]) with ordinality
          as wanted(document_id, locale, status, action, may_be_same, number)
        join ${table} on ${table.documentId} = wanted.document_id${locale}
          and (${table.publishedAt} is not null) = (wanted.status = 'published')
        cross join lateral ${contentOf(type)} as kept(content)
        left join lateral (select content from ${versions} as earlier where earlier.document_id = wanted.document_id
            and earlier.locale = wanted.locale and earlier.status = wanted.status
          order by earlier.id desc limit 1) as last on true
      where not wanted.may_be_same or ${DIFFERS}
      order by wanted.number`;
  });

/** What to keep of a version. */
interface Kept extends Record<(typeof lists)[number], string> {
  readonly mayBeSame: boolean;
}

const keptOf = ({ version, mayBeSame = false }: VersionChange, action: string): Kept => ({
  documentId: version.documentId,
  locale: version.locale ?? "",
  status: version.status,
  action,
  mayBeSame: mayBeSame || action === "found",
});

/** Whether the version is removed, so that it is kept as it was. */
const isRemoval = ({ action }: VersionChange): boolean => action === "delete" || action === "unpublish";

const bind = (type: ContentType, kept: readonly Kept[], by: string): readonly Bound[] => {
  if (kept.length === 0) return [];
  const columns = Object.fromEntries(lists.map((name) => [name, kept.map((each) => each[name])]));
  const mayBeSame = kept.map((each) => each.mayBeSame);
  const constants = { type: type.uid, caller: by, system: SYSTEM_NAMES, entries: entryKeys(type) };
  return [{ statement: statementFor(type), values: { ...columns, ...constants, mayBeSame } }];
};

/** Keeps versions of the types that ask for it. */
export const createRecorder = (): Recorder => ({
  record(all, caller) {
    const changes = all.filter(({ type }) => type.history);
    const types = new Set(changes.map(({ type }) => type));
    const by = callerText(caller);
    const recorded = [...types].map((type) => {
      const own = changes.filter((change) => change.type === type);
      const found = own.filter((change) => change.before !== undefined && !isRemoval(change));
      const removed = own.filter(isRemoval);
      const before = [
        ...found.map((change) => keptOf(change, "found")),
        ...removed.map((change) => keptOf(change, change.action)),
      ];
      const after = own.filter((change) => !isRemoval(change)).map((change) => keptOf(change, change.action));
      return { before: bind(type, before, by), after: bind(type, after, by) };
    });
    return { before: recorded.flatMap(({ before }) => before), after: recorded.flatMap(({ after }) => after) };
  },
});
