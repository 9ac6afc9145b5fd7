/** Types that gain or lose drafts or locales. */
import { type Change, type Findings, pairedTypes, type PairedType } from "../change.ts";
import { own } from "../own.ts";
import type { ContentTypeOutline, Tables } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import { dare } from "../step.ts";

/** The link tables of a type, under their names at this point. */
const linkTables = (tables: Tables, table: string): readonly string[] =>
  Object.keys(tables).filter((name) =>
    Object.values(tables[name]?.foreignKeys ?? {}).some(
      ({ table: target, columns }) => target === table && columns[0] === "version_id",
    ),
  );

const columnsBut = (tables: Tables, table: string, ...left: readonly string[]): readonly string[] =>
  Object.keys(own(tables, table)?.columns ?? {}).filter((name) => !left.includes(name));

/** Gives every document a draft that equals its only version. */
const addDrafts = (findings: Findings, type: PairedType, { next }: Change): void => {
  const { table } = type.after;
  const { present, initial } = findings;
  // Removed parts still exist and may move on from the drafts; added parts with a value exist by now.
  const come = columnsBut(next.tables, table).filter((name) => initial.has(`${table}.${name}`));
  const columns = [...new Set([...columnsBut(present, table, "id", "published_at"), ...come])].map(quote).join(", ");
  const sameLocale = type.after.localized && type.before.localized ? '\n  and draft."locale" = published."locale"' : "";
  const links = linkTables(present, table);
  for (const each of [table, ...links]) findings.moved.add(each);
  const copies = links.map((link) => {
    const names = columnsBut(present, link, "version_id").map(quote);
    return (
      `\n\ninsert into ${quote(link)} ("version_id", ${names.join(", ")})\n` +
      `select draft."id", ${names.map((name) => `link.${name}`).join(", ")}\nfrom ${quote(link)} as link\n` +
      `join ${quote(table)} as published on published."id" = link."version_id"\n` +
      `join ${quote(table)} as draft on draft."document_id" = published."document_id"${sameLocale}\n` +
      `where draft."published_at" is null and published."published_at" is not null;`
    );
  });
  findings.draft.steps.push({
    stage: "move",
    sql: `insert into ${quote(table)} (${columns})\nselect ${columns}\nfrom ${quote(table)};${copies.join("")}`,
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

const countDrafts = (findings: Findings, after: ContentTypeOutline, { table, localized }: ContentTypeOutline): void => {
  const sameLocale = localized ? ` and other."locale" = ${quote(table)}."locale"` : "";
  const published = `exists (select from ${quote(table)} as other where other."document_id" = ${quote(table)}."document_id"${sameLocale} and other."published_at" is not null)`;
  const draft = '"published_at" is null and';
  findings.draft.concerns.push(
    { what: `drafts of ${table} beside what is published`, sql: countRows(table, `${draft} ${published}`) },
    {
      what: `documents of ${table} without a published version`,
      sql: countRows(table, `${draft} not ${published}`),
      becomes: "publishes",
    },
  );
  const isLeft = `("published_at" is not null or not ${published})`;
  onlyRemaining(findings, after, (where) => `${where.replaceAll('"published_at" is not null', "true")} and ${isLeft}`);
};

/** Keeps one version of each document: the published one, or the draft if it was never published. */
const removeDrafts = (findings: Findings, { after, before }: PairedType): void => {
  const { table } = after;
  const flag = `publish:${table}`;
  const reason =
    `${table} would have no drafts: changes that are not published would be dropped, ` +
    "and documents that never were published would become visible";
  if (!dare(findings.draft, flag, reason)) return;
  countDrafts(findings, after, before);
  findings.moved.add(table);
  const sameLocale = before.localized ? '\n    and published."locale" = draft."locale"' : "";
  findings.draft.steps.push({
    stage: "move",
    sql:
      `delete from ${quote(table)} as draft\nwhere draft."published_at" is null\n  and exists (\n    select from ${quote(table)} as published\n` +
      `    where published."document_id" = draft."document_id"${sameLocale}\n    and published."published_at" is not null\n  );\n\n` +
      `update ${quote(table)} set "published_at" = "updated_at" where "published_at" is null;`,
    does: `keeps one version of each document of ${table}, and publishes what never was`,
    breaks: true,
    loses: `drafts in ${table} that differ from what is published`,
  });
};

/** Keeps one locale of each document: the default one, or the first. */
const removeLocales = (findings: Findings, { after, before }: PairedType, { defaultLocale }: Change): void => {
  const { table } = after;
  const place = `${table}.locale`;
  const reason = `${table} would have no locales: of each document only "${defaultLocale}" would be kept`;
  if (!dare(findings.draft, `drop:${place}`, reason)) return;
  findings.settled.add(place);
  findings.moved.add(table);
  const kept = `("document_id", "locale") in (select distinct on ("document_id") "document_id", "locale" from ${quote(before.table)} order by "document_id", "locale" <> ${literal(defaultLocale)}, "locale")`;
  const sql = countRows(before.table, `not ${kept}`);
  findings.draft.concerns.push({ what: `versions of ${before.table} in other locales`, sql });
  onlyRemaining(findings, after, (where) => `${where} and ${kept}`);
  findings.draft.steps.push({
    stage: "move",
    sql:
      `delete from ${quote(table)} as version\nusing (\n  select distinct on ("document_id") "document_id", "locale"\n  from ${quote(table)}\n` +
      `  order by "document_id", "locale" <> ${literal(defaultLocale)}, "locale"\n) as kept\n` +
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
