/** Prints trials as a table, one line per fault. */
import type { Trial } from "./run.ts";

const columns = ["trials", "kills", "stored", "unknown", "lost", "hung", "wrong", "crashed", "recovery (s)"] as const;

const sum = (trials: readonly Trial[], of: (trial: Trial) => number): number =>
  trials.reduce((total, trial) => total + of(trial), 0);

const rowOf = (trials: readonly Trial[]): readonly string[] => {
  const times = trials.map(({ recovery }) => recovery / 1000).sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const worst = times.at(-1) ?? 0;
  return [
    ...[
      trials.length,
      sum(trials, ({ kills }) => kills),
      sum(trials, ({ acknowledged }) => acknowledged),
      sum(trials, ({ unknown }) => unknown),
      sum(trials, ({ lost }) => lost),
      sum(trials, ({ hung }) => hung),
      sum(trials, ({ wrong }) => wrong),
      sum(trials, ({ crashed }) => crashed),
    ].map(String),
    `${median.toFixed(1)} to ${worst.toFixed(1)}`,
  ];
};

/** The table as Markdown. */
export const table = (trials: readonly Trial[]): string => {
  const names = [...new Set(trials.map(({ fault }) => fault))].sort();
  const rows = names.map((name) => [name, ...rowOf(trials.filter(({ fault }) => fault === name))]);
  const all = [["fault", ...columns], ...rows, ["all", ...rowOf(trials)]];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
};

/** Whether there were any failures. */
export const isClean = (trials: readonly Trial[]): boolean =>
  trials.every(({ lost, hung, wrong, crashed }) => lost + hung + wrong + crashed === 0);
