/** `IMPORT.md`: a checklist of everything that was found and not imported. */
import path from "node:path";
import { groupBy } from "../../../base/lists.ts";
import { type Finding, type FindingKind, isMinor, kinds } from "../findings/finding.ts";

const DOCS = "node_modules/galley-cms/docs";

/** Escapes text for a line of Markdown. */
const plain = (text: string): string =>
  text
    .replaceAll(/[\s\u2028\u2029]+/g, " ")
    .replaceAll("<", "&lt;")
    .replaceAll(/[[\]*_]/g, "\\$&");

/** Code stays as it is between backticks. */
const marked = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ") : plain(part)))
    .join("");

const lineOf = ({ name, at, otherLines = [], note, starter }: Finding): string =>
  [
    `- [ ] ${marked(name)}: \`${at.file.replaceAll(/[`\s\p{Cc}]/gu, "?")}:${at.line}\``,
    ...otherLines.map((line) => `\`:${line}\``),
    ...(note === undefined ? [] : [marked(note)]),
    ...(starter === undefined ? [] : [`begun in \`${starter}\``]),
  ].join(", ");

const section = (kind: FindingKind, findings: readonly Finding[]): readonly string[] => {
  const { title, here, page } = kinds[kind];
  const [name = ""] = path.posix.basename(page).split("#");
  const explained = here === "" ? [] : [`Here: ${here} ([${name}](${DOCS}/${page})).`, ""];
  const [minor, decisions] = [findings.filter(isMinor), findings.filter((each) => !isMinor(each))];
  const folded = [`<details><summary>${minor.length} that need no decision</summary>`, "", ...minor.map(lineOf), ""];
  return [
    `## ${title}`,
    "",
    ...explained,
    ...(decisions.length > 0 ? [...decisions.map(lineOf), ""] : []),
    ...(minor.length > 0 ? [...folded, "</details>", ""] : []),
  ];
};

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

/** The number of decisions, by group. */
const overview = (all: ReturnType<typeof groups>): readonly string[] => {
  const rows = all.map(([kind, own]) => ({
    title: kinds[kind].title,
    all: own.length,
    minor: own.filter(isMinor).length,
  }));
  const decisions = rows.reduce((sum, row) => sum + row.all - row.minor, 0);
  const minor = rows.reduce((sum, row) => sum + row.minor, 0);
  return [
    `**${decisions} need a decision; ${minor} more are folded**, because users of the site would not miss them.`,
    "",
    "| | To decide | Folded |",
    "| --- | --- | --- |",
    ...rows.map((row) => `| [${row.title}](#${anchorOf(row.title)}) | ${row.all - row.minor} | ${row.minor} |`),
    "",
  ];
};

/** Files in alphabetical order, and their lines in order. */
const sorted = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => (a.at.file === b.at.file ? a.at.line - b.at.line : a.at.file < b.at.file ? -1 : 1));

/** The groups of findings, in their order. */
export const groups = (
  findings: readonly Finding[],
): readonly (readonly [kind: FindingKind, findings: readonly Finding[]])[] => {
  const order = Object.keys(kinds);
  const byKind = [...groupBy(sorted(findings), ({ kind }) => kind)];
  return byKind.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
};

const CONTENT = [
  "## Content",
  "",
  "- [ ] `strapi export --no-encrypt --file export` in the old project, and `cms import export.tar.gz` here:",
  `  [documents, files, users, roles](${DOCS}/learn/from-strapi.md#content).`,
  "- [ ] Variables of the environment: `JWT_SECRET` if logins are to go on, never those of the old database.",
  "",
];

/** The whole text. */
export const checklistText = (findings: readonly Finding[], version: 4 | 5): string =>
  [
    "# Taken over from Strapi",
    "",
    `What \`cms import\` found in a project of Strapi ${version} and did not take over: none of its code runs here. Tick what is done;`,
    "another `cms import` keeps the ticks.",
    "",
    ...overview(groups(findings)),
    ...groups(findings).flatMap(([kind, own]) => section(kind, own)),
    ...CONTENT,
  ].join("\n");

const TICKED = /^- \[x\] (.*)$/i;

/** A line's subject, wherever in its file it is. */
const subject = (line: string): string => line.replaceAll(/:\d+`/g, "`");

/** Applies the ticks of the old list to a new one. */
export const withTicks = (text: string, old: string): string => {
  const done = new Set(
    old.split(/\r?\n/).flatMap((line) => (TICKED.test(line) ? [subject(line.replace(TICKED, "$1"))] : [])),
  );
  return text
    .split("\n")
    .map((line) => (line.startsWith("- [ ] ") && done.has(subject(line.slice(6))) ? `- [x] ${line.slice(6)}` : line))
    .join("\n");
};

/** The list without its ticks. */
export const withoutTicks = (text: string): string => text.replaceAll(/^- \[x\] /gim, "- [ ] ");
