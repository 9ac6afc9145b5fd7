/** Two names for one thing during a two-step rename: triggers between columns, views of link tables. */
import { identifier } from "../../../runtime/base/identifier.ts";
import { inBatches } from "../batches.ts";
import type { Change, Findings } from "../change.ts";
import { expandedIn, withoutColumns, withoutLinks } from "../names/expand.ts";
import type { Expanded } from "../snapshot.ts";
import { quote } from "../sql.ts";
import { moveHistoryInStep } from "./history-in-step.ts";

type TwoColumns = Expanded["columns"][number];

const triggerName = ({ table, old, new: is }: TwoColumns): string => identifier(table, old, is, "in_step");

/** Each build writes the one name that it knows: the trigger copies what a statement changed to the other. */
const createTrigger = (columns: TwoColumns): string => {
  const name = quote(triggerName(columns));
  const [was, is] = [quote(columns.old), quote(columns.new)];
  return (
    `create function ${name}() returns trigger language plpgsql as $$\nbegin\n` +
    `  if tg_op = 'INSERT' then\n    new.${is} := coalesce(new.${is}, new.${was});\n    new.${was} := new.${is};\n` +
    `  elsif new.${is}::text is distinct from old.${is}::text then\n    new.${was} := new.${is};\n` +
    `  else\n    new.${is} := new.${was};\n  end if;\n  return new;\nend;\n$$;\n\n` +
    `create trigger ${name} before insert or update on ${quote(columns.table)}\n  for each row execute function ${name}();`
  );
};

const begin = ({ draft }: Findings, columns: TwoColumns, { old }: Change): void => {
  const { table, old: was, new: is } = columns;
  const hasOld = Object.hasOwn(old.tables[table]?.columns ?? {}, was);
  const [source, target] = hasOld ? [was, is] : [is, was];
  draft.steps.push(
    {
      stage: "move",
      sql: createTrigger(columns),
      does: `keeps ${table}.${was} and ${table}.${is} in step`,
      locks: `${table}: writes, for a moment`,
    },
    {
      stage: "online",
      sql: inBatches(
        table,
        [[target, quote(source)]],
        `${quote(target)}::text is distinct from ${quote(source)}::text`,
      ),
      does: `copies ${table}.${source} to ${table}.${target}, some thousand rows at a time`,
    },
  );
};

const end = ({ draft, settled }: Findings, columns: TwoColumns, { next }: Change): void => {
  const { table, old: was, new: is } = columns;
  const name = quote(triggerName(columns));
  draft.steps.push({
    stage: "create",
    sql: `drop trigger ${name} on ${quote(table)};\n\ndrop function ${name}();`,
    does: `ends keeping ${table}.${was} and ${table}.${is} in step`,
    locks: `${table}: everything, for a moment`,
  });
  for (const column of [was, is]) {
    if (!Object.hasOwn(next.tables[table]?.columns ?? {}, column)) settled.add(`${table}.${column}`);
  }
};

/** The views to drop before their names are reused, and those to create. */
const changeViews = ({ draft }: Findings, gone: Expanded["links"], come: Expanded["links"]): void => {
  for (const { old: was } of gone) {
    draft.steps.unshift({ stage: "rename", sql: `drop view ${quote(was)};`, does: `drops view ${was}`, breaks: true });
  }
  for (const { old: was, new: is } of come) {
    draft.steps.push({
      stage: "create",
      sql: `create view ${quote(was)} as select * from ${quote(is)};`,
      does: `shows ${is} as ${was} to those who know the old name`,
    });
  }
};

/** Begins and ends two-step renames. */
export const moveInStep = (findings: Findings, change: Change): void => {
  const [before, after] = [expandedIn(change.old), expandedIn(change.next)];
  for (const columns of withoutColumns(before, after)) end(findings, columns, change);
  for (const columns of withoutColumns(after, before)) begin(findings, columns, change);
  moveHistoryInStep(findings, change);
  changeViews(findings, withoutLinks(before, after), withoutLinks(after, before));
};
