/** Converts the attributes of a row, and of the component entries in it, to their stored form. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { ComponentUid, Field, Json, RelationField } from "../../../runtime/schema/content-type.ts";
import { leadsToMany } from "../../../runtime/schema/field.ts";
import type { Registry } from "../../../runtime/schema/registry.ts";
import { entriesIn, type Owner, refOf } from "../../archive/component-entries.ts";
import type { BatchLinks, LinkedDocument } from "./batch-links.ts";
import { fit } from "./fit.ts";
import type { Weight } from "./report.ts";

type Data = Readonly<Record<string, unknown>>;

/** The context for building a value. */
export interface Building {
  readonly registry: Registry;
  readonly links: BatchLinks;
  /** The new id of an entry; undefined if the source has none. */
  readonly entryId: (source: number | undefined) => number;
  readonly isPublished: boolean;
  /** Whether required relations and files must exist. */
  readonly strictRelations: boolean;
  readonly remark: (attribute: string, weight: Weight, reason: string, value?: unknown) => void;
}

/** Collects values and links, with their place in the row. */
interface Place {
  readonly owner: Owner | undefined;
  readonly data: Data;
  readonly path: string;
}

/** Names that are not attributes: every row has them, or the source uses them internally. */
const SYSTEM = new Set([
  "id",
  "documentId",
  "locale",
  "localizations",
  "createdAt",
  "updatedAt",
  "publishedAt",
  "createdBy",
  "updatedBy",
  "__component",
]);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** The values and links of a row or entry that match no attribute here. */
export const remarkGone = (
  { links, remark }: Building,
  attributes: Readonly<Record<string, Field>>,
  { owner, data, path }: Place,
): void => {
  const linked = owner === undefined ? [] : links.attributes(owner);
  const names = new Set([...Object.keys(data).filter((name) => !isEmpty(data[name])), ...linked]);
  for (const name of names) {
    if (SYSTEM.has(name) || Object.hasOwn(attributes, name)) continue;
    remark(`${path}${name}`, "lost", "there is no such attribute here", data[name]);
  }
  for (const name of new Set(linked)) {
    const type = Object.hasOwn(attributes, name) ? attributes[name]?.type : undefined;
    if (owner === undefined || type === undefined) continue;
    const others = [
      ...(type === "relation" ? [] : links.documents(owner, name)),
      ...(type === "media" ? [] : links.files(owner, name)),
    ];
    if (others.length > 0)
      remark(`${path}${name}`, "lost", `leads to documents or files, and is of the type ${type} here`);
  }
};

/** The first target of the wanted type, or all of them. */
export const targetsOf = (
  { links, remark }: Building,
  owner: Owner,
  name: string,
  { target, many, path }: { readonly target: string | undefined; readonly many: boolean; readonly path: string },
): readonly LinkedDocument[] => {
  const found = new Map<string, LinkedDocument>();
  for (const each of links.documents(owner, name)) {
    if (target !== undefined && each.type !== target) {
      remark(path, "lost", `leads to ${each.type}, and here only to ${target}`, each.documentId);
    } else if (!found.has(`${each.type} ${each.documentId}`)) found.set(`${each.type} ${each.documentId}`, each);
  }
  const all = [...found.values()];
  if (many || all.length < 2) return all;
  for (const each of all.slice(1)) remark(path, "lost", "leads to one document only here", each.documentId);
  return all.slice(0, 1);
};

/** The files of an attribute, without duplicates. */
export const filesOf = (
  { links, remark }: Building,
  owner: Owner,
  name: string,
  { many, path }: { readonly many: boolean; readonly path: string },
): readonly number[] => {
  const all = [...new Set(links.files(owner, name))];
  if (many || all.length < 2) return all;
  for (const each of all.slice(1)) remark(path, "lost", "takes one file only here", each);
  return all.slice(0, 1);
};

/** A document as a request body names it, with the version that an imported link targets. */
export const referenceTo = (target: string | undefined, { type, documentId, version }: LinkedDocument): Json =>
  target === undefined ? { __type: type, documentId, ...(version === null ? {} : { version }) } : documentId;

const relationIn = (building: Building, field: RelationField, owner: Owner, name: string, path: string): Json => {
  const many = leadsToMany(field.relation);
  const { target } = field;
  const all = targetsOf(building, owner, name, { target, many, path }).map((each) => referenceTo(target, each));
  return many ? all : (all[0] ?? null);
};

const memberOf = (building: Building, field: Field, name: string, { path, data, owner }: Place): Json => {
  switch (field.type) {
    case "component":
    case "dynamiczone":
      return buildEntries(building, field, data[name], path);
    case "relation":
      if (owner === undefined) return leadsToMany(field.relation) ? [] : null;
      return relationIn(building, field, owner, name, path);
    case "media": {
      const many = field.multiple === true;
      const files = owner === undefined ? [] : filesOf(building, owner, name, { many, path });
      return many ? files : (files[0] ?? null);
    }
    default: {
      const { value, problem } = fit(field, data[name]);
      if (problem !== undefined)
        building.remark(path, "lost", problem, field.type === "password" ? undefined : data[name]);
      return value;
    }
  }
};

const buildEntry = (
  building: Building,
  uid: ComponentUid,
  { entry, path, isZone }: { readonly entry: Data; readonly path: string; readonly isZone: boolean },
): Json => {
  const attributes: Readonly<Record<string, Field>> = building.registry.component(uid).attributes;
  const ref = refOf(entry);
  const owner = ref === undefined ? undefined : { type: uid, ref };
  remarkGone(building, attributes, { owner, data: entry, path: `${path}.` });
  const built: Record<string, Json> = isZone ? { __component: uid } : {};
  built["id"] = building.entryId(ref);
  for (const [name, field] of Object.entries(attributes)) {
    built[name] = memberOf(building, field, name, { path: `${path}.${name}`, data: entry, owner });
  }
  return built;
};

/** The stored value of a component or zone attribute. */
export const buildEntries = (
  building: Building,
  field: Extract<Field, { readonly type: "component" | "dynamiczone" }>,
  value: unknown,
  path: string,
): Json => {
  const isList = field.type === "dynamiczone" || field.repeatable === true;
  if (value !== null && value !== undefined && !Array.isArray(value) && !isRecord(value)) {
    building.remark(path, "lost", "the value is no component", value);
  }
  const entries = entriesIn(field, value).flatMap(({ component, entry }, index) => {
    const at = isList ? `${path}[${index}]` : path;
    const isAllowed = field.type === "component" || field.components.includes(component);
    if (isAllowed && building.registry.components[component] !== undefined) {
      return [buildEntry(building, component, { entry, path: at, isZone: field.type === "dynamiczone" })];
    }
    building.remark(at, "lost", `the zone does not take ${component} here`, entry);
    return [];
  });
  if (isList) return entries;
  for (const more of entries.slice(1)) building.remark(path, "lost", "takes one component only here", more);
  return entries[0] ?? null;
};
