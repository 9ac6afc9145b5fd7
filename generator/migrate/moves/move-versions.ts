/** Types that gain or lose drafts or locales. */
import { range, statementInBatches } from "../batches.ts";
import { type Change, type Findings, pairedTypes, type PairedType } from "../change.ts";
import { own } from "../own.ts";
import type { ContentTypeOutline, Tables } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare } from "../step.ts";

/** Link tables with the tables of their types, under their names at this point. */
export const linkOwners = (tables: Tables): readonly (readonly [link: string, owner: string])[] =>
  Object.entries(tables).flatMap(([name, { foreignKeys }]) =>
    Object.values(foreignKeys)
      .filter(({ columns }) => columns[0] === "version_id")
      .map(({ table }) => [name, table] as const),
  );

const columnsBut = (tables: Tables, table: string, ...left: readonly string[]): readonly string[] =>
  Object.keys(own(tables, table)?.columns ?? {}).filter((name) => !left.includes(name));

/** What is unique among drafts, and among published versions. */
const versionKey = ({ localized }: ContentTypeOutline): string =>
  localized ? '"document_id", "locale"' : '"document_id"';

/** Copies the links of one table to the drafts that a batch has made. */
const copyLinks = (tables: Tables, type: ContentTypeOutline, link: string): string => {
  const names = columnsBut(tables, link, "version_id").map(quote);
  return (
    `insert into ${quote(link)} ("version_id", ${names.join(", ")})\n` +
    `select made."id", ${names.map((name) => `link.${name}`).join(", ")}\nfrom made\n` +
    `join ${quote(type.table)} as published using (${versionKey(type)})\n` +
    `join ${quote(link)} as link on link."version_id" = published."id"\n` +
    `where published."published_at" is not null and ${range('published."id"')} and ${range('link."version_id"')}`
  );
};

/** One statement of several that insert: each but the last has a name. */
const together = (statements: readonly (readonly [name: string, sql: string])[]): string => {
  const named = statements.slice(0, -1).map(([name, sql]) => `${name} as (\n${sql}\nreturning *\n)`);
  return `${named.length === 0 ? "" : `with ${named.join(", ")}\n`}${statements.at(-1)?.[1] ?? ""};`;
};

/**
 * Gives every document a draft that equals its only version, some thousand at a time when everything else is done.
 * Drafts that an interrupted run has made are kept.
 */
const addDrafts = ({ draft }: Findings, { after }: PairedType, { next: { tables } }: Change): void => {
  const { table } = after;
  const columns = columnsBut(tables, table, "id", "published_at").map(quote).join(", ");
  const make =
    `insert into ${quote(table)} (${columns})\nselect ${columns}\nfrom ${quote(table)}\n` +
    `where ${range('"id"')} and "published_at" is not null\non conflict (${versionKey(after)}, ("published_at" is not null)) do nothing`;
  const links = linkOwners(tables).filter(([, owner]) => owner === table);
  const copies = links.map(([link], index) => [`copied_${index}`, copyLinks(tables, after, link)] as const);
  draft.steps.push({
    stage: "copy",
    sql: statementInBatches(table, together([["made", make], ...copies])),
    does: `gives every document of ${table} a draft like its published version`,
    breaks: true,
  });
};

const onlyRemaining = (
  { remaining }: Findings,
  { table }: ContentTypeOutline,
  change: (where: string) => string,
): void => {
  const others = remaining.get(table);
  remaining.set(table, others ? (where) => others(change(where)) : change);
};

/** Whether a version, by the SQL of its name, has a published one beside it. */
const isPublished = ({ table, localized }: ContentTypeOutline, version: string): string => {
  const sameLocale = localized ? ` and other."locale" = ${version}."locale"` : "";
  return `exists (select from ${quote(table)} as other where other."document_id" = ${version}."document_id"${sameLocale} and other."published_at" is not null)`;
};

const countDrafts = (findings: Findings, after: ContentTypeOutline, before: ContentTypeOutline): void => {
  const { table } = before;
  const published = isPublished(before, quote(table));
  // Of several locales, one may be all that is left.
  const drafts = (which: string): string => {
    const where = `"published_at" is null and ${which}`;
    return countRows(table, findings.remaining.get(after.table)?.(where) ?? where);
  };
  findings.draft.concerns.push(
    { what: `drafts of ${table} beside what is published`, sql: drafts(published) },
    {
      what: `documents of ${table} without a published version`,
      sql: drafts(`not ${published}`),
      becomes: "publishes",
    },
  );
  const isLeft = `("published_at" is not null or not ${published})`;
  onlyRemaining(findings, after, (where) => `${where.replaceAll('"published_at" is not null', "true")} and ${isLeft}`);
};

/**
 * Keeps one version of each document: the published one, or the draft if it was never published. Drafts beside published
 * versions are deleted when everything else is done; processes of the new build start after that, since to them a draft
 * is a document like any other. At last, drafts that processes of the older build have left meanwhile are published.
 */
const removeDrafts = (findings: Findings, { after, before }: PairedType): void => {
  const { table, localized } = after;
  const flag = `publish:${table}`;
  const reason =
    `${table} would have no drafts: changes that are not published would be dropped, ` +
    "and documents that never were published would become visible";
  if (!dare(findings.draft, flag, reason)) return;
  countDrafts(findings, after, before);
  findings.moved.add(table);
  const published = isPublished({ ...after, localized: localized && before.localized }, "draft");
  const publish = `update ${quote(table)} as draft set "published_at" = "updated_at"\nwhere "published_at" is null and not ${published};`;
  findings.draft.steps.push(
    { stage: "move", sql: publish, does: `publishes what never was in ${table}`, breaks: true },
    {
      stage: "copy",
      sql: statementInBatches(
        table,
        `delete from ${quote(table)} as draft\nwhere ${range('"id"')} and "published_at" is null and ${published};`,
      ),
      does: `keeps one version of each document of ${table}`,
      loses: `drafts in ${table} that differ from what is published`,
    },
    { stage: "copy", sql: publish },
  );
};

/** Keeps one locale of each document: the default one, or the first. */
const removeLocales = (findings: Findings, { after, before }: PairedType, { defaultLocale }: Change): void => {
  const { table } = after;
  const place = `${table}.locale`;
  const reason = `${table} would have no locales: of each document only "${defaultLocale}" would be kept`;
  if (!dare(findings.draft, `drop:${place}`, reason)) return;
  findings.settled.add(place);
  findings.moved.add(table);
  const keptIn = (name: string): string =>
    `select distinct on ("document_id") "document_id", "locale" from ${quote(name)} ` +
    `order by "document_id", "locale" <> ${literal(defaultLocale)}, "locale"`;
  const kept = `("document_id", "locale") in (${keptIn(before.table)})`;
  const sql = countRows(before.table, `not ${kept}`);
  findings.draft.concerns.push({ what: `versions of ${before.table} in other locales`, sql });
  onlyRemaining(findings, after, (where) => `${where} and ${kept}`);
  findings.draft.steps.push({
    stage: "move",
    sql:
      `delete from ${quote(table)} as version\nusing (${keptIn(table)}) as kept\n` +
      `where kept."document_id" = version."document_id" and kept."locale" <> version."locale";`,
    does: `keeps one locale of each document of ${table}`,
    removes: true,
    breaks: true,
    loses: `versions of ${table} in other locales`,
  });
};

export const moveVersions = (findings: Findings, change: Change): void => {
  for (const type of pairedTypes(change)) {
    const { before, after } = type;
    if (!before.localized && after.localized) {
      findings.initial.set(`${after.table}.locale`, literal(change.defaultLocale));
    }
    if (before.localized && !after.localized) removeLocales(findings, type, change);
    if (!before.draftAndPublish && after.draftAndPublish) addDrafts(findings, type, change);
    if (before.draftAndPublish && !after.draftAndPublish) removeDrafts(findings, type);
  }
};
