/** Turns filters (nested keys) into a condition. Refuses keys that are unknown, hidden or forbidden. */
import { ValidationError } from "../../base/errors.ts";
import { isOperator } from "../../base/filter-operators.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ComponentUid } from "../../schema/content-type.ts";
import { zoneFilter } from "../../search/zone-filters.ts";
import type { AnyStatus, Condition } from "../query.ts";
import type { Owner, RelationMember, ZoneMember } from "../schema.ts";
import { truth } from "./cast.ts";
import { isAttribute, type Position } from "./context.ts";
import { checkField, inEmptyList, joined, not } from "./operators.ts";
import { below, faultAt, forbiddenKey, isLongList, listTooLong, unknownKey } from "./position.ts";
import { Trusted } from "./selected.ts";

type Group = "$and" | "$or" | "$not";

const isGroup = (key: string): key is Group => key === "$and" || key === "$or" || key === "$not";

/**
 * Checks a whole filter on the rows at a position. An empty object is no condition; anything but an object or
 * list is a 400.
 */
export const checkFilters = (at: Position, raw: unknown): Condition | undefined => {
  const { context, owner } = at;
  if (raw instanceof Trusted)
    return context.trusting(() => checkFilters({ ...at, owner: context.schema.owner(owner.uid) }, raw.filters));
  context.budget.count("groups", at);
  if (Array.isArray(raw))
    return joined(
      "and",
      raw.map((item) => checkFilters(at, item)),
    );
  if (!isRecord(raw)) throw new ValidationError("The filters parameter must be an object or an array");
  return joined(
    "and",
    Object.entries(raw).map(([key, value]) => checkKey(at, key, value)),
  );
};

const checkKey = (at: Position, key: string, value: unknown): Condition | undefined => {
  if (isGroup(key)) return checkGroup(at, key, value);
  const { context, owner, status } = at;
  const member = owner.members.get(key);
  if (member === undefined) throw unknownKey(key, at);
  if (member.hidden) throw forbiddenKey(key, at);
  const inside = below(at, key);
  switch (member.kind) {
    case "scalar":
      if (!isAttribute(key)) refuseOperators(at, value);
      return checkField(inside, member, value);
    case "component": {
      const behind = { ...inside, owner: context.schema.component(member.component) };
      return related({ ...behind, status: entryStatus(owner, status) }, key, value);
    }
    case "relation":
      return checkRelation(at, member, value);
    case "zone":
      // The wire format has no such filters.
      if (!context.config.search.zoneFilters) throw forbiddenKey(key, at);
      return checkZone(at, member, value);
    default:
      throw forbiddenKey(key, at);
  }
};

/**
 * A component belongs to a version of its owner. Its relations may lead to versions of either status if the owner's type
 * has no drafts.
 */
const entryStatus = ({ type }: Owner, status: AnyStatus): AnyStatus =>
  type?.draftAndPublish === false ? "either" : status;

/**
 * `id` and `documentId` are not attributes, so the error for an unknown operator on them names the level that holds
 * them.
 */
const refuseOperators = (at: Position, value: unknown): void => {
  const unknown = isRecord(value) ? Object.keys(value).find((operator) => !isOperator(operator)) : undefined;
  if (unknown !== undefined) throw unknownKey(unknown, at);
};

const checkGroup = (at: Position, key: Group, value: unknown): Condition | undefined => {
  if (key === "$not") {
    return not(value === null ? undefined : checkFilters(at, value));
  }
  if (isRecord(value) && isLongList(value)) throw listTooLong(key, at, at.context.config.rest.arrayLimit);
  if (!Array.isArray(value)) throw faultAt(at, `${key} must be an array of filters`, key);
  if (key === "$or" && value.length === 0) return inEmptyList(at);
  return joined(
    key === "$and" ? "and" : "or",
    value.map((item) => checkFilters(at, item)),
  );
};

/** Whether a relation is compared with ids, rather than by conditions on attributes of the related document. */
const comparesId = (value: unknown): boolean =>
  !isRecord(value) || Object.keys(value).some((key) => key.startsWith("$") && key !== "$and" && key !== "$or");

const checkRelation = (at: Position, member: RelationMember, value: unknown): Condition | undefined => {
  const { context, owner, status } = at;
  const { name, target, many } = member;
  if (target === undefined || !context.mayFollow(member)) throw forbiddenKey(name, at);
  const beyond = context.statusOf(owner, status, target, "either");
  const behind: Position = { ...below(at, name), owner: context.schema.type(target), status: beyond };
  if (!many) return related(behind, name, value);
  const beyondMany = context.budget.behindMany(behind, "filterSteps");
  context.budget.count("filterSteps", behind);
  const condition = related(beyondMany, name, value);
  return condition && { ...condition, many: true };
};

const checkZone = (at: Position, { name, components }: ZoneMember, raw: unknown): Condition | undefined => {
  const { context, owner, status } = at;
  const zone = below(at, name);
  const beyond = { ...context.budget.behindMany(zone, "filterSteps"), status: entryStatus(owner, status) };
  const listed = (uids: readonly ComponentUid[]) => {
    context.budget.joins.grow();
    context.budget.count("filterSteps", zone);
    return { kind: "zone", name, components: context.slot(uids) } as const;
  };
  const entry = (component: ComponentUid, filters: unknown): Condition => {
    const inside = { ...below(beyond, component), owner: context.schema.component(component) };
    return { ...listed([component]), component, item: checkFilters(inside, filters) };
  };
  const group = (operator: Group, items: readonly (Condition | undefined)[]): Condition | undefined => {
    context.budget.count("groups", zone);
    if (operator === "$or" && items.length === 0) return inEmptyList(at);
    return operator === "$not" ? not(items[0]) : joined(operator === "$and" ? "and" : "or", items);
  };
  const refused = (key?: string): Error => (key === undefined ? forbiddenKey(name, at) : unknownKey(key, zone));
  return zoneFilter<Condition, ComponentUid>({ components, listed, entry, group, truth, refused }, raw);
};

type Related = Extract<Condition, { readonly kind: "related" }>;

const related = (at: Position, name: string, value: unknown): Related | undefined => {
  at.context.budget.joins.grow();
  const item = comparesId(value) ? checkId(at, value) : checkFilters(at, value);
  return item && { kind: "related", name, status: at.status, item };
};

const checkId = (at: Position, value: unknown): Condition | undefined => {
  const id = at.owner.members.get("id");
  if (id?.kind !== "scalar" || id.hidden) throw unknownKey("id", at);
  if (isRecord(value)) {
    const mixed = Object.keys(value).find((key) => !isOperator(key) || (key === "$not" && isRecord(value[key])));
    if (mixed !== undefined) throw unknownKey(mixed, at);
  }
  return checkField(at, id, value);
};
