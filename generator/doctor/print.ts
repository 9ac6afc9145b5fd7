/** Prints the report for people. */
import type { Palette } from "../diagnostics/print.ts";
import type { Problem, Proposal, Report, Unindexed } from "./finding.ts";
import { about, grouped } from "./size.ts";
import { statementsOf } from "./sql.ts";

/** Neutralizes control characters, since some texts come from the database. */
const clean = (text: string): string => text.replaceAll(/\p{Cc}/gu, "?");

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `    ${clean(line)}`);

const problemLines = ({ title, why, sql }: Problem, paint: Palette): readonly string[] => [
  `${paint.red("problem")} ${clean(title)}`,
  ...indented([why, ...sql]),
];

const proposalLines = (proposal: Proposal, paint: Palette): readonly string[] => [
  `${paint.yellow("proposal")} ${proposal.type}: ${proposal.title}`,
  ...indented([
    `${proposal.why} It takes ${about(proposal.bytes)}, and every write of these documents also writes into it.`,
    ...statementsOf(proposal),
  ]),
];

const unindexedLines = ({ type, versions, attributes }: Unindexed, paint: Palette): readonly string[] => [
  `${paint.dim("unindexed")} ${type} (${grouped(versions)} versions): ${attributes.map(({ name, bytes }) => (bytes === undefined ? name : `${name} (${about(bytes)})`)).join(", ")}`,
];

const CHOOSE =
  "Lists that are sorted or filtered by these read every version: `cms doctor --all` prints an index for each.";

const counted = (count: number, what: string, ending = "s"): string => `${count} ${what}${count === 1 ? "" : ending}`;

const last = ({ version, tables, problems, proposals }: Report): string => {
  const where = `${version}, ${counted(tables, "table")}`;
  const proposed = proposals.length === 0 ? "" : `; ${counted(proposals.length, "index", "es")} proposed`;
  return problems.length === 0
    ? `nothing is wrong${proposed} (${where})`
    : `${counted(problems.length, "problem")}${proposed} (${where})`;
};

/** All findings, and a final line that says whether there are problems. */
export const printReport = (report: Report, paint: Palette): string =>
  [
    ...report.problems.flatMap((problem) => problemLines(problem, paint)),
    ...report.proposals.flatMap((proposal) => proposalLines(proposal, paint)),
    ...report.unindexed.flatMap((each) => unindexedLines(each, paint)),
    ...(report.unindexed.length > 0 ? indented([CHOOSE]) : []),
    ...report.notes.map((note) => `${paint.dim("note")} ${clean(note)}`),
    ...report.unread.map((line) => `${paint.yellow("not read")} ${clean(line)}`),
    last(report),
    "",
  ].join("\n");
