/** The text of a migration: what it does, locks and loses, then its statements. */
import { OUTSIDE } from "../../runtime/database/migration-files.ts";
import { functionsFor } from "./json-checks.ts";
import { type Draft, type Step, stages } from "./step.ts";

const list = (label: string, entries: readonly string[], otherwise: string): string => {
  const distinct = [...new Set(entries)];
  const lines = distinct.length === 0 ? [otherwise] : distinct;
  const [first = "", ...rest] = lines;
  return [`-- ${label.padEnd(7)}${first}`, ...rest.map((line) => `--        ${line}`)].join("\n");
};

const isText = (text: string | undefined): text is string => text !== undefined && text !== "";

const GOES_ON = "processes of that build go on while this runs and after it";
const STOPS = "stop processes of that build before this runs, because it";

/** A list of the comment block of a migration's SQL; nothing for SQL that somebody wrote. */
const blockOf = (sql: string, label: string): readonly string[] => {
  const [, block = ""] =
    new RegExp(`^-- ${label} +(.*(?:\\n--        .*)*)$`, "m").exec(sql.replaceAll("\r\n", "\n")) ?? [];
  return block === "" ? [] : block.split(/\n-- +/);
};

/** What a migration's SQL says that it cannot keep. */
export const lossesOf = (sql: string): readonly string[] => blockOf(sql, "Loses:").filter((each) => each !== "nothing");

/** Columns, as `table.column`, whose attributes a migration makes required without a value for the rows that are there. */
export const lackingIn = (sql: string): readonly string[] => blockOf(sql, "Lacks:");

/** Why processes of the build before (or, on the way back, after) a migration cannot go on; empty where they can. */
export const breaksOf = (sql: string): readonly string[] => {
  const [first, ...reasons] = blockOf(sql, "(?:Older|Newer):");
  return first === STOPS ? reasons : [];
};

const printBreaks = (steps: readonly Step[], way: Draft["way"]): string => {
  const reasons = steps.filter(({ breaks }) => breaks).map(({ does }) => does);
  const texts = [...new Set(reasons)].filter(isText);
  return list(way === "up" ? "Older:" : "Newer:", texts.length === 0 ? [] : [STOPS, ...texts], GOES_ON);
};

/** Prints one way of a migration; the statements come in the order of their stages. */
export const writeSql = (title: string, { steps, losses, lacking, way }: Omit<Draft, "risks" | "allowed">): string => {
  const ordered = stages.flatMap((stage) => steps.filter((step) => step.stage === stage));
  const head = [
    `-- ${title}`,
    "--",
    list("Does:", ordered.map(({ does }) => does).filter(isText), "nothing that can be seen"),
    list("Locks:", ordered.map(({ locks }) => locks).filter(isText), "nothing that exists"),
    list("Loses:", [...ordered.map(({ loses }) => loses).filter(isText), ...losses], "nothing"),
    ...(lacking.length === 0 ? [] : [list("Lacks:", lacking, "")]),
    printBreaks(ordered, way),
  ].join("\n");
  const functions = functionsFor(ordered.map(({ sql }) => sql));
  const inside = ordered.filter(({ stage }) => stage !== "online").flatMap(({ sql }) => sql || []);
  const online = ordered.filter(({ stage }) => stage === "online").flatMap(({ sql }) => sql || []);
  return `${[head, ...functions, ...inside, ...(online.length > 0 ? [OUTSIDE, ...online] : [])].join("\n\n")}\n`;
};
