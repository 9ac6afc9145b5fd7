/** Prints a migration: what it does, locks and loses, then its statements. */
import { BEFORE, INSIDE, OUTSIDE } from "../../../runtime/database/migrations/files.ts";
import { type Draft, type Step, stages } from "../step.ts";

const list = (label: string, entries: readonly string[], otherwise: string): string => {
  // Without leading dashes, PostgreSQL would run the line.
  const distinct = [...new Set(entries.map((each) => each.replaceAll(/[\n\r]+/g, " ")))];
  const lines = distinct.length === 0 ? [otherwise] : distinct;
  const [first = "", ...rest] = lines;
  return [`-- ${label.padEnd(7)}${first}`, ...rest.map((line) => `--        ${line}`)].join("\n");
};

const GOES_ON = "processes of that build go on while this runs and after it";
const OVERLOOKS = "processes of that build go on while this runs and after it, but";
const STOPS = "stop processes of that build before this runs, because it";

/** A list from the comment block of a migration's SQL; empty for hand-written SQL. */
const blockOf = (sql: string, label: string): readonly string[] => {
  const [, block = ""] =
    new RegExp(`^-- ${label} +(.*(?:\\n--        .*)*)$`, "m").exec(sql.replaceAll("\r\n", "\n")) ?? [];
  return block === "" ? [] : block.split(/\n-- +/);
};

/** What a migration's SQL says that it loses. */
export const lossesOf = (sql: string): readonly string[] => blockOf(sql, "Loses:").filter((each) => each !== "nothing");

/** Attributes, as `table.attribute` or `component.field`, that content older than the migration may lack. */
export const lackingIn = (sql: string): readonly string[] => blockOf(sql, "Lacks:");

/** Why processes of the build before (or, on the way back, after) a migration fail; empty if they keep working. */
export const breaksOf = (sql: string): readonly string[] => {
  const [first, ...reasons] = blockOf(sql, "(?:Older|Newer):");
  return first === STOPS ? reasons : [];
};

/** What such processes do with what they do not know, if they keep working; empty if nothing. */
export const overlookedIn = (sql: string): readonly string[] => {
  const [first, ...attributes] = blockOf(sql, "(?:Older|Newer):");
  return first === OVERLOOKS ? attributes : [];
};

const printBreaks = (steps: readonly Step[], { overlooked, way }: Pick<Draft, "overlooked" | "way">): string => {
  const texts = [...new Set(steps.flatMap(({ breaks, does }) => (breaks && does) || []))];
  const label = way === "up" ? "Older:" : "Newer:";
  if (texts.length > 0) return list(label, [STOPS, ...texts], "");
  return list(label, overlooked.length === 0 ? [] : [OVERLOOKS, ...overlooked], GOES_ON);
};

const isBefore = ({ stage }: Step): boolean => stage === "prepare" || stage === "fill";
const isAfter = ({ stage }: Step): boolean => stage === "online" || stage === "copy";

/** Prints one direction of a migration, its statements in the order of their stages. */
export const writeSql = (title: string, draft: Omit<Draft, "risks" | "allowed">): string => {
  const { steps, losses, lacking } = draft;
  const ordered = stages.flatMap((stage) => steps.filter((step) => step.stage === stage));
  const head = [
    `-- ${title}`,
    "--",
    list(
      "Does:",
      ordered.flatMap(({ does }) => does ?? []),
      "nothing that can be seen",
    ),
    list(
      "Locks:",
      ordered.flatMap(({ locks }) => locks ?? []),
      "nothing that exists",
    ),
    list("Loses:", [...ordered.flatMap(({ loses }) => loses ?? []), ...losses], "nothing"),
    ...(lacking.length === 0 ? [] : [list("Lacks:", lacking, "")]),
    printBreaks(ordered, draft),
  ].join("\n");
  const before = ordered.filter(isBefore).flatMap(({ sql }) => sql || []);
  const inside = ordered.filter((step) => !isBefore(step) && !isAfter(step)).flatMap(({ sql }) => sql || []);
  const after = ordered.filter(isAfter).flatMap(({ sql }) => sql || []);
  return `${[head, ...(before.length > 0 ? [BEFORE, ...before, INSIDE] : []), ...inside, ...(after.length > 0 ? [OUTSIDE, ...after] : [])].join("\n\n")}\n`;
};
