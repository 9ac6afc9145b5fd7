/** The text of a migration: what it does, locks and loses, then its statements. */
import { OUTSIDE } from "../../runtime/database/migration-files.ts";
import { type Step, stages } from "./step.ts";

const list = (label: string, entries: readonly string[], otherwise: string): string => {
  const distinct = [...new Set(entries)];
  const lines = distinct.length === 0 ? [otherwise] : distinct;
  const [first = "", ...rest] = lines;
  return [`-- ${label.padEnd(7)}${first}`, ...rest.map((line) => `--        ${line}`)].join("\n");
};

const isText = (text: string | undefined): text is string => text !== undefined && text !== "";

/** What the comment block of a migration's SQL says that it cannot keep; nothing for SQL that somebody wrote. */
export const lossesOf = (sql: string): readonly string[] => {
  const [, block = ""] = /^-- Loses: (.*(?:\n--        .*)*)$/m.exec(sql) ?? [];
  return block === "nothing" || block === "" ? [] : block.split(/\n-- +/);
};

/** Prints one way of a migration; the statements come in the order of their stages. */
export const writeSql = (title: string, steps: readonly Step[]): string => {
  const ordered = stages.flatMap((stage) => steps.filter((step) => step.stage === stage));
  const head = [
    `-- ${title}`,
    "--",
    list("Does:", ordered.map(({ does }) => does).filter(isText), "nothing that can be seen"),
    list("Locks:", ordered.map(({ locks }) => locks).filter(isText), "nothing that exists"),
    list("Loses:", ordered.map(({ loses }) => loses).filter(isText), "nothing"),
  ].join("\n");
  const inside = ordered.filter(({ stage }) => stage !== "online").flatMap(({ sql }) => sql || []);
  const online = ordered.filter(({ stage }) => stage === "online").flatMap(({ sql }) => sql || []);
  return `${[head, ...inside, ...(online.length > 0 ? [OUTSIDE, ...online] : [])].join("\n\n")}\n`;
};
