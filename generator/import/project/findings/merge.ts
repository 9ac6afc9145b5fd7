/** Merges findings that need one decision: hooks of a file, actions of a controller, settings of one kind. */
import { groupBy } from "../../../base/lists.ts";
import type { Finding } from "./finding.ts";

/** What the names of such findings end with, such as ` of api::article.article`. */
const ownerOf = ({ kind, name }: Finding): string =>
  kind === "setting" && /^\w+$/.test(name) ? "" : (/ of .*$/s.exec(name)?.[0] ?? name);

const merged = (findings: readonly Finding[]): readonly Finding[] => {
  const [first, ...others] = findings.toSorted((a, b) => a.at.line - b.at.line);
  if (first === undefined || others.length === 0) return findings;
  const owner = ownerOf(first);
  const names = new Set([first, ...others].map(({ name }) => name.slice(0, name.length - owner.length)));
  const lines = new Set(others.map(({ at }) => at.line).filter((line) => line !== first.at.line));
  return [{ ...first, name: `${[...names].join(", ")}${owner}`, otherLines: [...lines] }];
};

/** Merges those of one file with the same owner and notes. */
export const mergeFindings = (findings: readonly Finding[]): readonly Finding[] => {
  const alike = groupBy(findings, (each) =>
    JSON.stringify([each.kind, each.at.file, each.note, each.starter, each.isMinor, ownerOf(each)]),
  );
  return [...alike.values()].flatMap(merged);
};
