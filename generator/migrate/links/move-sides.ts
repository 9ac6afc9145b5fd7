/** Relations whose links move to the table of the other side. */
import { type Change, type Findings, type PairedType, pairedTypes } from "../change.ts";
import type { ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { dare, type Draft, flagOf, isAllowed } from "../step.ts";
import { findSideMoves, type Relation, type SideMove } from "./side-moves.ts";

/** The two tables, and how links lead from versions of one (`origin`) to versions of the other (`holder`). */
interface Ends {
  readonly origin: ContentTypeOutline;
  readonly holder: ContentTypeOutline;
  readonly from: Relation;
  readonly to: Relation;
  readonly defaultLocale: string;
}

/** `from …`: the old links, with the versions that they belong to. */
const oldLinks = ({ origin, from }: Ends): string =>
  from.link === undefined
    ? `${quote(origin.table)} as origin`
    : `${quote(from.link)} as old\n  join ${quote(origin.table)} as origin on origin."id" = old."version_id"`;

const oldTarget = ({ from }: Ends): string =>
  from.link === undefined ? `origin.${quote(from.column ?? "")}` : 'old."document_id"';

/** The order in which the origin lists its targets. */
const oldOrder = ({ from }: Ends): string => (from.link === undefined ? "1" : 'old."position"');

/** The order in which the other side lists them, if it had one. */
const oldOrderThere = ({ from }: Ends, ordered: boolean): string | undefined => {
  if (from.link !== undefined) return ordered ? 'old."inverse_position"' : undefined;
  return from.positionColumn === undefined ? undefined : `origin.${quote(from.positionColumn)}`;
};

/** Versions see each other within one locale, and drafts see drafts; versions without either are visible to all. */
const conditions = ({ origin, holder, defaultLocale }: Ends): string[] => {
  const others = (condition: string) => `select from ${quote(origin.table)} as other\n    where ${condition}`;
  const found: string[] = [];
  if (origin.localized && holder.localized) found.push('holder."locale" = origin."locale"');
  else if (origin.localized) {
    found.push(
      `origin."locale" = (\n    select "locale" from ${quote(origin.table)} as other\n` +
        `    where other."document_id" = origin."document_id"\n` +
        `    order by "locale" <> ${literal(defaultLocale)}, "locale"\n    limit 1\n  )`,
    );
  }
  if (origin.draftAndPublish && holder.draftAndPublish) {
    found.push('(holder."published_at" is null) = (origin."published_at" is null)');
  } else if (origin.draftAndPublish) {
    const sameLocale = origin.localized ? ' and other."locale" = origin."locale"' : "";
    const published = others(
      `other."document_id" = origin."document_id"${sameLocale} and other."published_at" is not null`,
    );
    found.push(`(origin."published_at" is not null or not exists (\n    ${published}\n  ))`);
  }
  return found;
};

const joined = (ends: Ends): string =>
  `${oldLinks(ends)}\n  join ${quote(ends.holder.table)} as holder on ${[
    `holder."document_id" = ${oldTarget(ends)}`,
    ...conditions(ends),
  ].join("\n  and ")}`;

const intoLink = (ends: Ends, link: string, order: string | undefined, ordered: boolean): string => {
  const place = order === undefined ? 'min(origin."id")' : `min(${order}), min(origin."id")`;
  return (
    `insert into ${quote(link)} ("version_id", "document_id", "position"${ordered ? ', "inverse_position"' : ""})\n` +
    `select holder."id", origin."document_id", row_number() over (partition by holder."id" order by ${place})` +
    `${ordered ? `, min(${oldOrder(ends)})` : ""}\nfrom ${joined(ends)}\ngroup by holder."id", origin."document_id";`
  );
};

const intoColumn = (ends: Ends, column: string, order: string | undefined): string => {
  const { positionColumn } = ends.to;
  const sets = [`${quote(column)} = link."document_id"`];
  if (positionColumn !== undefined) sets.push(`${quote(positionColumn)} = link."position"`);
  return (
    `update ${quote(ends.holder.table)} as version\nset ${sets.join(", ")}\nfrom (\n` +
    `  select distinct on (holder."id") holder."id", origin."document_id", ${oldOrder(ends)} as "position"\n` +
    `  from ${joined(ends)}\n  order by holder."id", ${order === undefined ? "" : `${order}, `}origin."id"\n` +
    ') as link\nwhere link."id" = version."id";'
  );
};

/** Stops the migration if a link has no version to go to, for example a locale that its target lacks. */
const refuseHomeless = (ends: Ends, storage: string, flag: string): string => {
  const { holder, origin, to } = ends;
  const sameLocale = holder.localized && origin.localized ? '\n      and holder."locale" = origin."locale"' : "";
  const found =
    to.link === undefined
      ? `from ${quote(holder.table)} as holder\n    where holder.${quote(to.column ?? "")} = origin."document_id"`
      : `from ${quote(to.link)} as link join ${quote(holder.table)} as holder on holder."id" = link."version_id"\n` +
        '    where link."document_id" = origin."document_id"';
  return (
    "do $$\ndeclare\n  homeless bigint;\nbegin\n" +
    `  select count(*) into homeless\n  from ${oldLinks(ends)}\n  where ${oldTarget(ends)} is not null and not exists (\n` +
    `    select ${found}\n      and holder."document_id" = ${oldTarget(ends)}${sameLocale}\n  );\n` +
    `  if homeless > 0 then\n    raise exception '% of the links of % have no place in %: what they point to has no such language, ` +
    "or is linked otherwise there. Change those, or make this migration anew with --allow %',\n" +
    `      homeless, ${literal(storage)}, ${literal(placeOf(ends.holder, to))}, ${literal(flag)};\n` +
    "  end if;\nend\n$$;"
  );
};

/** Counts, before the migration, what `refuseHomeless` stops at. */
const countHomeless = (ends: Ends, order: string | undefined): string => {
  const { holder, origin, to } = ends;
  const isSameLocale = holder.localized && origin.localized;
  const columns = `holder."document_id" as "holder", origin."document_id" as "origin"${isSameLocale ? ', holder."locale"' : ""}`;
  const placed =
    to.link === undefined
      ? `select distinct on (holder."id") ${columns} from ${joined(ends)}\norder by holder."id", ${order === undefined ? "" : `${order}, `}origin."id"`
      : `select ${columns} from ${joined(ends)}`;
  return (
    `select count(*) from ${oldLinks(ends)}\nwhere ${oldTarget(ends)} is not null and not exists (select from (${placed}) as placed ` +
    `where placed."origin" = origin."document_id" and placed."holder" = ${oldTarget(ends)}${isSameLocale ? ' and placed."locale" = origin."locale"' : ""})`
  );
};

const placeOf = ({ table }: ContentTypeOutline, { column, link }: Relation): string => link ?? `${table}.${column}`;

/** Whether several documents may point to one: then a single value may be too small for their links. */
const sharesTargets = ({ relation }: Relation): boolean => relation === "manyToOne" || relation === "manyToMany";

const isOrdered = (link: string | undefined, { tables }: Snapshot): boolean =>
  link !== undefined && Object.hasOwn(tables[link]?.columns ?? {}, "inverse_position");

/** Such a change affects which versions see each other. */
const changesVersions = ({ before, after }: PairedType): boolean =>
  before.localized !== after.localized || before.draftAndPublish !== after.draftAndPublish;

/** True if the migration may proceed with what it could lose. */
const mayMove = (draft: Draft, ends: Ends, changing: PairedType | undefined, was: string, is: string): boolean => {
  if (changing) {
    const reason = `${was} moves to ${is} while ${changing.after.table} gets or loses drafts or locales: make it two migrations, one after the other`;
    draft.risks.push({ flag: undefined, reason });
    return false;
  }
  const reason = `${was} moves to ${is}, which holds a single value: only the first of several would be kept`;
  return ends.to.link !== undefined || !sharesTargets(ends.from) || dare(draft, `narrow:${was}`, reason);
};

const moveSide = (findings: Findings, change: Change, { from, to }: SideMove): void => {
  const types = new Map(pairedTypes(change).map((type) => [type.pairing.old, type]));
  const [origin, holder] = [types.get(from.uid), types.get(from.attribute.target ?? "")];
  if (!origin || !holder) return;
  const ends: Ends = {
    origin: origin.after,
    holder: holder.after,
    from: from.attribute,
    to: to.attribute,
    defaultLocale: change.defaultLocale,
  };
  const { draft, settled, moved } = findings;
  const [was, is] = [placeOf(ends.origin, ends.from), placeOf(ends.holder, ends.to)];
  if (!mayMove(draft, ends, [origin, holder].find(changesVersions), was, is)) return;

  const order = oldOrderThere(ends, isOrdered(ends.from.link, change.old));
  const move =
    ends.to.link === undefined
      ? intoColumn(ends, ends.to.column ?? "", order)
      : intoLink(ends, ends.to.link, order, isOrdered(ends.to.link, change.next));
  const isForced = draft.way === "down" || isAllowed(draft, `narrow:${was}`);
  draft.concerns.push({
    what: `links of ${was} that have no place in ${is}`,
    sql: countHomeless({ ...ends, origin: origin.before, holder: holder.before }, order),
    stops: isForced
      ? undefined
      : `change those, or make this migration anew with --allow ${flagOf(draft, `narrow:${was}`)}`,
  });
  draft.steps.push({
    stage: "move",
    sql: isForced ? move : `${move}\n\n${refuseHomeless(ends, was, flagOf(draft, `narrow:${was}`))}`,
    does: `moves ${was} to ${is}${isForced ? "" : ", unless a link has no place there"}`,
    breaks: true,
    loses: isForced ? `links of ${was} that have no place in ${is}` : undefined,
  });
  settled.add(was);
  if (ends.from.positionColumn !== undefined) settled.add(`${ends.origin.table}.${ends.from.positionColumn}`);
  moved.add(ends.from.link ?? ends.origin.table).add(ends.holder.table);
};

/** Carries over the links of relations that the other side stores from now on. */
export const moveSides = (findings: Findings, change: Change): void => {
  for (const move of findSideMoves(change)) moveSide(findings, change, move);
};
