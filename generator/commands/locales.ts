/** `cms locales status`: what is translated. */
import type { Command } from "commander";
import { sql } from "drizzle-orm";
import type { Project } from "../../runtime/app/project.ts";
import { SetupError } from "../../runtime/base/thrown.ts";
import { send, statementOf } from "../../runtime/database/database.ts";
import type { ContentType } from "../../runtime/schema/content-type.ts";
import type { SourceOf } from "./command.ts";
import { printRows } from "./terminal.ts";
import { onProject } from "./with-project.ts";

interface StatusOptions {
  readonly documents?: boolean;
}

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .command("status")
    .description("count the documents of each type that are published, drafts, outdated or missing in each locale")
    .option("--documents", "list the documents that are not published or outdated instead")
    .action(onProject(sourceOf, status));
};

const STATES = ["published", "draft", "outdated", "missing"];

/** Every document with its state in each locale; outdated if the default locale changed later. */
const states = ({ table }: ContentType) => sql`
  with versions as (
    select ${table.documentId} as id, ${table.locale} as locale, bool_or(${table.publishedAt} is not null) as published,
      max(${table.updatedAt}) as changed
    from ${table} group by 1, 2
  )
  select document.id as id, wanted.locale as locale, wanted.position as position,
    case when version.id is null then 'missing' when version.changed < source.changed then 'outdated'
      when version.published then 'published' else 'draft' end as state
  from (select distinct id from versions) as document
    cross join unnest(${sql.placeholder("codes")}::text[]) with ordinality as wanted(locale, position)
    left join versions as version on version.id = document.id and version.locale = wanted.locale
    left join versions as source on source.id = document.id and source.locale = ${sql.placeholder("standard")}::text`;

const counted = (type: ContentType) => sql`
  select locale, ${sql.join(
    STATES.map((state) => sql`count(*) filter (where state = ${sql.raw(`'${state}'`)})`),
    sql`, `,
  )} from (${states(type)}) as document group by locale, position order by position`;

const listed = (type: ContentType) => sql`
  select id, locale, state from (${states(type)}) as document
  where state <> 'published' order by id, position`;

/** @throws SetupError when no type is localized */
const status = async ({ application, config, database }: Project, { documents }: StatusOptions): Promise<void> => {
  const types = Object.values(application.contentTypes).flatMap(({ type }) => (type.localized ? [type] : []));
  if (types.length === 0) throw new SetupError("no content type is localized");
  const { codes, default: standard } = config.locales;
  const found: unknown[][] = documents ? [] : [["type", "locale", ...STATES]];
  for (const type of types) {
    const [name, query] = documents ? ["locales of documents", listed] : ["locales", counted];
    const statement = statementOf(type.table, name, () => query(type));
    const rows = await send(database, { statement, values: { codes, standard } });
    found.push(...rows.map((row) => [type.uid, ...row]));
  }
  printRows(found, "Everything is translated.");
};
