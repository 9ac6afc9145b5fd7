/** Turns filters (nested keys) into a condition. Refuses keys that are unknown, hidden or forbidden. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Condition, AnyStatus } from "../query.ts";
import type { ComponentMember, Owner, RelationMember } from "../schema.ts";
import { type CheckContext, isAttribute } from "./context.ts";
import { attributeOperators, checkField } from "./operators.ts";
import { below, forbiddenKey, isLongList, listTooLong, type Place, unknownKey } from "./place.ts";
import { Trusted } from "./selected.ts";

const isGroup = (key: string): boolean => key === "$and" || key === "$or" || key === "$not";

/** Joins conditions by `and`; undefined when there are none. */
export const all = (items: readonly (Condition | undefined)[]): Condition | undefined => group("and", items);

const group = (kind: "and" | "or", items: readonly (Condition | undefined)[]): Condition | undefined => {
  const present = items.filter((item) => item !== undefined);
  return present.length > 1 ? { kind, items: present } : present[0];
};

/**
 * Checks a whole filter on `owner`, whose rows have the given status. Empty objects and lists mean no condition; any
 * other value than objects and lists is a 400.
 */
export const checkFilters = (
  context: CheckContext,
  owner: Owner,
  raw: unknown,
  place: Place,
  status: AnyStatus,
): Condition | undefined => {
  if (raw instanceof Trusted) return checkTrusted(context, owner, raw, place, status);
  context.size.group(place);
  if (Array.isArray(raw)) return all(raw.map((item) => checkFilters(context, owner, item, place, status)));
  if (!isRecord(raw)) throw new ValidationError("The filters parameter must be an object or an array");
  return all(Object.entries(raw).map(([key, value]) => checkKey(context, owner, key, value, place, status)));
};

const checkTrusted = (
  context: CheckContext,
  { uid }: Owner,
  { filters }: Trusted,
  place: Place,
  status: AnyStatus,
): Condition | undefined =>
  context.trusting(() => checkFilters(context, context.schema.owner(uid), filters, place, status));

const checkKey = (
  context: CheckContext,
  owner: Owner,
  key: string,
  value: unknown,
  place: Place,
  status: AnyStatus,
): Condition | undefined => {
  if (isGroup(key)) return checkGroup(context, owner, key, value, place, status);
  const member = owner.members.get(key);
  if (member === undefined) throw unknownKey(key, place);
  if (member.hidden) throw forbiddenKey(key, place);
  switch (member.kind) {
    case "scalar":
      if (!isAttribute(key)) refuseOperators(value, place);
      return checkField(context, member, value, below(place, key));
    case "component":
      return checkComponent(context, member, value, below(place, key), inComponent(owner, status));
    case "relation":
      return checkRelation(context, owner, member, value, place, status);
    default:
      throw forbiddenKey(key, place);
  }
};

/**
 * `id` and `documentId` are not attributes, so the error for an unknown operator on them names the level that holds
 * them.
 */
const refuseOperators = (value: unknown, place: Place): void => {
  const unknown = isRecord(value)
    ? Object.keys(value).find((operator) => !attributeOperators.has(operator))
    : undefined;
  if (unknown !== undefined) throw unknownKey(unknown, place);
};

/**
 * The status for conditions within a component. A component belongs to a version of its owner; if the owner's type has
 * no drafts, its relations may lead to versions of either status.
 */
const inComponent = ({ type }: Owner, status: AnyStatus): AnyStatus =>
  type?.draftAndPublish === false ? "either" : status;

const checkGroup = (
  context: CheckContext,
  owner: Owner,
  key: string,
  value: unknown,
  place: Place,
  status: AnyStatus,
): Condition | undefined => {
  if (key === "$not") {
    if (value === null) return undefined;
    const item = checkFilters(context, owner, value, place, status);
    return item && { kind: "not", item };
  }
  if (isRecord(value) && isLongList(value)) throw listTooLong(key, place, context.config.rest.arrayLimit);
  if (!Array.isArray(value)) {
    throw new ValidationError(`${key} must be an array of filters`, {
      key,
      path: place.path,
      source: "query",
      param: place.param,
    });
  }
  const items = value.map((item) => checkFilters(context, owner, item, place, status));
  return group(key === "$and" ? "and" : "or", items);
};

/** Whether a relation is compared with ids, rather than by conditions on attributes of the related document. */
const comparesId = (value: unknown): boolean =>
  !isRecord(value) || Object.keys(value).some((key) => key.startsWith("$") && key !== "$and" && key !== "$or");

const checkRelation = (
  context: CheckContext,
  owner: Owner,
  member: RelationMember,
  value: unknown,
  place: Place,
  status: AnyStatus,
): Condition | undefined => {
  if (member.target === undefined || !context.mayFollow(member)) throw forbiddenKey(member.name, place);
  const target = context.schema.type(member.target);
  const beyond = context.statusOf(owner, status, member.target, "either");
  const behind = below(place, member.name);
  if (!member.many) return related(context, target, member.name, value, behind, beyond);
  const condition = related(context, target, member.name, value, context.size.filterThrough(behind), beyond);
  return condition && { ...condition, many: true };
};

const checkComponent = (
  context: CheckContext,
  member: ComponentMember,
  value: unknown,
  place: Place,
  status: AnyStatus,
): Condition | undefined =>
  related(context, context.schema.component(member.component), member.name, value, place, status);

type Related = Extract<Condition, { readonly kind: "related" }>;

const related = (
  context: CheckContext,
  target: Owner,
  name: string,
  value: unknown,
  place: Place,
  status: AnyStatus,
): Related | undefined => {
  context.join();
  const item = comparesId(value)
    ? checkId(context, target, value, place)
    : checkFilters(context, target, value, place, status);
  return item && { kind: "related", name, status, item };
};

const checkId = (context: CheckContext, target: Owner, value: unknown, place: Place): Condition | undefined => {
  const id = target.members.get("id");
  if (id?.kind !== "scalar" || id.hidden) throw unknownKey("id", place);
  if (isRecord(value)) {
    const mixed = Object.keys(value).find(
      (key) => !attributeOperators.has(key) || (key === "$not" && isRecord(value[key])),
    );
    if (mixed !== undefined) throw unknownKey(mixed, place);
  }
  return checkField(context, id, value, place);
};
