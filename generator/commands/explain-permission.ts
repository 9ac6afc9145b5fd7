/** `cms permissions explain`: what a role may do with the documents of a type, and where that is declared. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Role } from "../../runtime/accounts/roles/roles.ts";
import { grantableActions } from "../../runtime/app/grantable-actions.ts";
import type { Project } from "../../runtime/app/project.ts";
import { didYouMean } from "../../runtime/base/did-you-mean.ts";
import type { Config } from "../../runtime/config/config.ts";
import { actionOf, type PermissionEntry } from "../../runtime/config/permissions.ts";
import { withRoles } from "./apply-permissions.ts";
import { CommandError } from "./exit-codes.ts";

/** The question: a role by type, an action by name or uid, and a content type by name or uid. */
export interface Question {
  readonly role: string;
  readonly action: string;
  readonly type: string;
}

const uidOf = ({ application }: Project, type: string): string => {
  const types = Object.values(application.contentTypes).map((each) => each.type);
  const found = types.find(({ uid, singularName }) => uid === type || singularName === type);
  if (found) return found.uid;
  const known = types.flatMap(({ uid, singularName }) => [singularName, uid]);
  throw new CommandError(`There is no content type "${type}".${didYouMean(type, known)}`);
};

const actionIn = ({ application, config }: Project, uid: string, name: string): string => {
  const actions = [...grantableActions(application, config)].filter((action) => action.startsWith(`${uid}.`));
  const action = name.startsWith(`${uid}.`) ? name : `${uid}.${name}`;
  if (actions.includes(action)) return action;
  const names = actions.map((each) => each.slice(uid.length + 1));
  throw new CommandError(`${uid} has no action "${name}".${didYouMean(name, names)} It has ${names.join(", ")}.`);
};

const roleIn = (roles: readonly Role[], name: string): Role => {
  const role = roles.find(({ type }) => type === name);
  const types = roles.map(({ type }) => type);
  if (!role)
    throw new CommandError(`There is no role "${name}".${didYouMean(name, types)} There are ${types.join(", ")}.`);
  return role;
};

/** The lines of the configuration that name the action, as `cms.config.ts:12`. */
const placesOf = ({ root }: Project, action: string): string => {
  const file = readdirSync(root).find((name) => /^cms\.config\.m?[jt]s$/.test(name));
  if (file === undefined) return "";
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  const places = lines.flatMap((line, index) => (line.includes(action) ? `${file}:${index + 1}` : []));
  return places.length > 0 ? `  (${places.join(", ")})` : `  (${file})`;
};

const describeEntry = (entry: PermissionEntry): string => {
  if (typeof entry === "string") return "all documents";
  const { where, locales } = entry;
  const parts = [
    where ? `documents that meet ${where.toString().replaceAll(/\s+/g, " ")}` : "documents",
    ...(locales ? [`in ${locales.join(", ")}`] : []),
  ];
  return parts.join(" ");
};

/**
 * The entries that select the documents an action applies to. Reading is subject to those of both `find` and `findOne`.
 */
const rulesFor = (entries: readonly PermissionEntry[], action: string): readonly string[] => {
  const reading = /\.(?:find|findOne)$/;
  const uid = action.replace(/\.\w+$/, "");
  const actions = reading.test(action) ? [`${uid}.find`, `${uid}.findOne`] : [action];
  return actions.flatMap((each) => {
    const own = entries.filter((entry) => actionOf(entry) === each);
    if (own.length === 0 || own.some((entry) => typeof entry === "string")) return [];
    const name = each === action ? "for" : `and for ${each.slice(uid.length + 1)}`;
    return [`${name} ${own.map(describeEntry).join(", or ")}`];
  });
};

const listed = (names: readonly string[] | undefined): string => {
  if (names === undefined) return "all attributes";
  return names.length === 0 ? "nothing" : names.join(", ");
};

const fieldsOf = ({ fields }: Config, role: string, uid: string): readonly string[] => {
  const list = fields[role]?.[uid];
  if (list === undefined) return ["reads and writes all attributes that are not private"];
  return Array.isArray(list)
    ? [`reads and writes ${listed(list)}`]
    : [`reads ${listed(list.read)}`, `writes ${listed(list.write)}`];
};

const grantOf = (isGranted: boolean, isDeclared: boolean): string => {
  if (isGranted) return isDeclared ? "allowed, as declared" : "allowed by the database; not declared";
  return isDeclared ? "not allowed yet: declared, but not applied (cms permissions apply)" : "not allowed";
};

/**
 * Explains why a role may or may not do something.
 *
 * @throws CommandError for an unknown role, action or type
 */
export const explainPermission = (project: Project, { role: name, action: wanted, type }: Question): Promise<string> =>
  withRoles(project, async (roles) => {
    const uid = uidOf(project, type);
    const action = actionIn(project, uid, wanted);
    const role = roleIn(roles.all(), name);
    const entries = project.config.permissions[name] ?? [];
    const isDeclared = entries.some((entry) => actionOf(entry) === action);
    const rules = rulesFor(entries, action);
    const lines = [
      `${grantOf(role.actions.has(action), isDeclared)}${isDeclared ? placesOf(project, action) : ""}`,
      ...(rules.length > 0 ? rules : ["for all documents"]),
      ...fieldsOf(project.config, name, uid),
    ];
    return `${[`${name}: ${action}`, ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
  });
