/** Lifecycles, controllers, services and policies: each of their functions is told. */
import { exportedMembers, type Member } from "../code/members.ts";
import { type CodeReader, placeOf } from "../code/parse.ts";
import type { Area } from "./areas.ts";
import type { Finding } from "./finding.ts";

/** The rows that lifecycles run for are no more; what they do for lists and counts has no hook. */
const HOOKS: ReadonlySet<string> = new Set(
  ["Create", "Update", "Delete"].flatMap((action) => [`before${action}`, `after${action}`]),
);

const uidOf = ({ owner, name }: Area, file: string): string => {
  const [, type] = /\/content-types\/([^/]+)\//.exec(file) ?? [];
  return owner === "global::" ? `${owner}${name}` : `${owner}.${type ?? name}`;
};

const noteOf = ({ kind }: Area, { name }: Member): string | undefined => {
  if (kind === "lifecycle" && !HOOKS.has(name))
    return /find/i.test(name)
      ? "reading has `beforeRead` and `afterRead`"
      : "has no counterpart: hooks run for each document";
  const isCore = ["find", "findOne", "create", "update", "delete"].includes(name);
  return kind === "controller" && !isCore ? "an action of its own needs its route, too" : undefined;
};

/** A finding for each function; one for the file where none can be told apart. */
export const memberFindings = (reader: CodeReader, file: string, area: Area): readonly Finding[] => {
  const uid = uidOf(area, file);
  const members = area.kind === "policy" || area.kind === "middleware" ? [] : exportedMembers(reader, file);
  if (members.length === 0) return [{ kind: area.kind, name: uid, at: { file, line: 1 } }];
  return members.map((member) => {
    const note = noteOf(area, member);
    return { kind: area.kind, name: `${member.name} of ${uid}`, at: placeOf(member.whole), ...(note && { note }) };
  });
};
