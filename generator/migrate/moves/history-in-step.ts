/** Versions while attributes have two names: they hold values under both, whichever build has kept them. */
import { identifier } from "../../../runtime/base/identifier.ts";
import type { Change, Findings } from "../change.ts";
import { expandedIn } from "../names/expand.ts";
import { own } from "../own.ts";
import type { Expanded, Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { VERSIONS } from "./move-history.ts";

type TwoKeys = NonNullable<Expanded["versions"]>[number];

export const twoKeysIn = (snapshot: Snapshot): readonly TwoKeys[] => expandedIn(snapshot).versions ?? [];

const isSame = (a: TwoKeys, b: TwoKeys): boolean => a.type === b.type && a.old === b.old && a.new === b.new;

const without = (some: readonly TwoKeys[], others: readonly TwoKeys[]): readonly TwoKeys[] =>
  some.filter((each) => !others.some((other) => isSame(each, other)));

const nameOf = ({ type, old, new: is }: TwoKeys): string => identifier(VERSIONS, type, old, is, "in_step");

/** The content with the value of one key under another, too, in place of what was there. */
const copied = (content: string, from: string, to: string): string =>
  `(select json_object_agg(key, value) from (select key, value from json_each(${content}) where key <> ${to} ` +
  `union all select ${to}, ${content}->${from} where ${content}->${from} is not null) as both_names)`;

/** The names of what changed, the other one beside the known one. */
const named = (changed: string, from: string, to: string): string =>
  `case when ${changed} is not null then coalesce((select json_agg(name) from (\n` +
  `    select name from json_array_elements_text(${changed}) as name where name <> ${to}\n` +
  `    union all select ${to} from json_array_elements_text(${changed}) as name where name = ${from}) as names), '[]') end`;

const SYSTEM = "'{id,createdAt,updatedAt,publishedAt}'::text[]";

/**
 * Each build keeps the one name that it knows. It takes the other for changed, and a version that equals the last one
 * but for that name for one that was written by other means: the trigger corrects both.
 */
const trigger = (keys: TwoKeys): string => {
  const name = quote(nameOf(keys));
  const [was, is] = [literal(identifier(keys.old)), literal(identifier(keys.new))];
  return (
    `create function ${name}() returns trigger language plpgsql as $$\ndeclare\n` +
    `  known text := case when new.content->${is} is null then ${was} else ${is} end;\n` +
    `  other text := case when new.content->${is} is null then ${is} else ${was} end;\n  last json;\nbegin\n` +
    `  if new.content->known is not null and new.content->other is null then\n` +
    `    new.content := ${copied("new.content", "known", "other")};\n` +
    `    new.changed := ${named("new.changed", "known", "other")};\n  end if;\n` +
    `  if new.action = 'found' then\n` +
    `    select content into last from ${quote(VERSIONS)} as earlier where earlier.document_id = new.document_id\n` +
    `      and earlier.locale = new.locale and earlier.status = new.status order by earlier.id desc limit 1;\n` +
    `    if jsonb_strip_nulls(new.content::jsonb - ${SYSTEM}) = jsonb_strip_nulls(last::jsonb - ${SYSTEM}) then\n` +
    `      return null;\n    end if;\n  end if;\n  return new;\nend;\n$$;\n\n` +
    `create trigger ${name} before insert on ${quote(VERSIONS)}\n` +
    `  for each row when (new."type" = ${literal(keys.type)}) execute function ${name}();`
  );
};

/** Whether a build knows the new name. */
const hasNew = ({ contentTypes }: Snapshot, { type, new: is }: TwoKeys): boolean =>
  own(own(contentTypes, type)?.attributes, is) !== undefined;

const begin = ({ draft, held }: Findings, keys: TwoKeys, { old }: Change): void => {
  const names = hasNew(old, keys) ? [keys.new, keys.old] : [keys.old, keys.new];
  const [from = "", to = ""] = names.map((key) => literal(identifier(key)));
  held.add(VERSIONS);
  draft.steps.push({
    stage: "move",
    sql:
      `${trigger(keys)}\n\n-- A value dropped under a name that another attribute takes now makes room for it.\n` +
      `update ${quote(VERSIONS)}\nset "content" = ${copied('"content"', from, to)},\n` +
      `  "changed" = ${named('"changed"', from, to)}\n` +
      `where "type" = ${literal(keys.type)} and ("content"->${from} is not null or "content"->${to} is not null);`,
    does: `keeps ${keys.old} and ${keys.new} in step in the versions of ${keys.type}`,
  });
};

const end = ({ draft, held }: Findings, keys: TwoKeys, { next }: Change): void => {
  const [gone, kept] = (hasNew(next, keys) ? [keys.old, keys.new] : [keys.new, keys.old]).map((key) =>
    literal(identifier(key)),
  );
  const name = quote(nameOf(keys));
  held.add(VERSIONS);
  draft.steps.push({
    stage: "move",
    sql:
      `drop trigger ${name} on ${quote(VERSIONS)};\n\ndrop function ${name}();\n\n` +
      `update ${quote(VERSIONS)}\nset "content" = (select json_object_agg(key, value) from json_each("content") where key <> ${gone}),\n` +
      `  "changed" = coalesce((select json_agg(distinct case key when ${gone} then ${kept} else key end) from json_array_elements_text("changed") as key), "changed")\n` +
      `where "type" = ${literal(keys.type)};`,
    does: `ends keeping ${keys.old} and ${keys.new} in step in the versions of ${keys.type}`,
  });
};

export const moveHistoryInStep = (findings: Findings, change: Change): void => {
  const [before, after] = [twoKeysIn(change.old), twoKeysIn(change.next)];
  for (const keys of without(before, after)) end(findings, keys, change);
  for (const keys of without(after, before)) begin(findings, keys, change);
};
