/** The SQL of proposals. */
import { OUTSIDE } from "../../runtime/database/migrations/files.ts";
import { quote } from "../migrate/sql.ts";
import type { Proposal } from "./finding.ts";

const extension = (name: string): string => `create extension if not exists ${name};`;

/** To be run by hand, one by one and outside a transaction. */
export const statementsOf = ({ extension: needed, name, definition }: Proposal): readonly string[] => [
  ...(needed === undefined ? [] : [extension(needed)]),
  `create index concurrently if not exists ${quote(name)} ${definition};`,
];

/** For a migration, which resumes at the statement that was interrupted: drops its leftovers first. */
export const migrationOf = (proposals: readonly Proposal[]): { readonly up: string; readonly down: string } => {
  const extensions = [...new Set(proposals.flatMap((each) => each.extension ?? []))];
  const drops = proposals.map(({ name }) => `drop index concurrently if exists ${quote(name)};`);
  const creations = proposals.map(({ name, definition }) => `create index concurrently ${quote(name)} ${definition};`);
  const head = [
    "-- indexes that `cms doctor` proposed",
    "--",
    ...proposals.map(({ type, title }) => `-- Does:  an index for ${title} of ${type}`),
    "-- Locks: nothing",
    "-- Loses: nothing",
    "",
  ];
  const up = [
    ...head,
    ...extensions.map(extension),
    ...(extensions.length > 0 ? [""] : []),
    OUTSIDE,
    ...proposals.flatMap((_, index) => [drops[index], creations[index]]),
    "",
  ];
  const down = ["-- indexes that `cms doctor` proposed, undone", "", OUTSIDE, ...drops, ""];
  return { up: up.join("\n"), down: down.join("\n") };
};
