/** Lifecycles, controllers, services and policies: reports each of their functions. */
import { Node } from "ts-morph";
import { exportedMembers, type Member } from "../code/members.ts";
import { type CodeReader, placeOf } from "../code/parse.ts";
import { exportsOf, resolved } from "../code/resolve.ts";
import type { Area } from "./areas.ts";
import { type Finding, finding } from "./finding.ts";

/** The rows that these lifecycles run for no longer exist; their effects on lists and counts have no hook. */
const HOOKS: ReadonlySet<string> = new Set(
  ["Create", "Update", "Delete"].flatMap((action) => [`before${action}`, `after${action}`]),
);

const uidOf = ({ owner, name }: Area, file: string): string => {
  const [, type] = /\/content-types\/([^/]+)\//.exec(file) ?? [];
  return owner === "global::" ? `${owner}${name}` : `${owner}.${type ?? name}`;
};

const CORE: ReadonlySet<string> = new Set(["find", "findOne", "create", "update", "delete"]);

/** @param isOfType whether its type has generated routes that use it */
const noteOf = ({ kind }: Area, { name }: Member, isOfType: boolean): string | undefined => {
  if (kind === "lifecycle" && !HOOKS.has(name))
    return /find/i.test(name)
      ? "reading has `beforeRead` and `afterRead`"
      : "has no counterpart: hooks run for each document";
  const isCore = isOfType && CORE.has(name);
  if (kind === "service") return isCore ? "generated routes do not call it" : undefined;
  if (kind !== "controller") return undefined;
  return isCore
    ? "until it is written, the generated route answers without it"
    : "an action of its own needs its route, too";
};

/** Whether a file only creates Strapi's defaults: `createCoreController("api::tag.tag")`. */
const isBareCore = (reader: CodeReader, file: string): boolean => {
  const made = exportsOf(reader, file).get("");
  const call = made && resolved(reader, made);
  return (
    Node.isCallExpression(call) && /(?:^|\.)createCore(?:Controller|Service)$/.test(call.getExpression().getText())
  );
};

/** A finding for each function; one for the file if functions cannot be told apart. */
export const memberFindings = (reader: CodeReader, file: string, area: Area): readonly Finding[] => {
  const uid = uidOf(area, file);
  const [, api = ""] = /^api::(.*)\./.exec(uid) ?? [];
  const isOfType = reader.files.has(`src/api/${api}/content-types/${area.name}/schema.json`);
  const members = area.kind === "policy" || area.kind === "middleware" ? [] : exportedMembers(reader, file);
  if (members.length === 0) return isBareCore(reader, file) ? [] : [finding(area.kind, uid, file)];
  return members.map((member) =>
    finding(area.kind, `${member.name} of ${uid}`, placeOf(member.whole), noteOf(area, member, isOfType)),
  );
};
