/** Checks one populated attribute: a relation, a component, or a zone or morph relation with `on`. */
import { ValidationError } from "../../base/errors.ts";
import type { Uid } from "../../schema/content-type.ts";
import type { Populate } from "../query.ts";
import type { Owner, RelationMember } from "../schema.ts";
import type { Place } from "./place.ts";
import { checkFragments } from "./populate-fragments.ts";
import { checkOptions } from "./populate-options.ts";
import type { CheckEntry, Descent } from "./populate.ts";
import { behindMany } from "./query-size.ts";

export const checkEntry: CheckEntry = (descent, owner, member, value, place) => {
  const { context } = descent;
  grow(descent);
  const leadsToMany = member.kind === "relation" && member.many && !member.media;
  const steps = leadsToMany ? stepsBehind(descent, place) : descent.steps;
  const inner = { ...descent, depth: descent.depth + 1, steps };
  if (member.kind === "zone" || (member.kind === "relation" && member.target === undefined)) {
    return checkFragments(inner, owner, member, value, place);
  }
  if (member.kind === "component") {
    const target = context.schema.component(member.component);
    const options = checkOptions(inner, target, value, place);
    return [{ kind: "component", name: member.name, ...options }];
  }
  if (member.kind !== "relation" || member.target === undefined) return [];
  const relation = checkRelation(inner, owner, member, member.target, value, place);
  return context.mayFollow(member) ? [relation] : [];
};

const stepsBehind = ({ context, steps }: Descent, place: Place): number =>
  behindMany(context.limits, { ...place, steps }, "populateSteps").steps ?? 0;

const checkRelation = (
  descent: Descent,
  owner: Owner,
  member: RelationMember,
  uid: Uid,
  value: unknown,
  place: Place,
): Populate => {
  const { context } = descent;
  const target = context.schema.type(uid);
  const status = context.statusOf(owner, descent.status, uid, descent.status);
  const options = checkOptions({ ...descent, status }, target, value, place);
  const cohort = context.cohortOf(target.type);
  const count = options.count && isCounted(member);
  return { kind: "relation", name: member.name, target: uid, status, cohort, ...options, count };
};

/**
 * Whether `count` applies. Files, localizations and inverse sides of relations to any type are listed even if `count`
 * is given.
 */
const isCounted = ({ source }: RelationMember): boolean => source.type === "relation" && !("morphBy" in source);

const grow = ({ context, depth }: Descent): void => {
  const { populateDepth } = context.config.rest;
  if (depth >= populateDepth) {
    throw new ValidationError(
      `Invalid populate parameter. It nests deeper than ${populateDepth} levels (rest.populateDepth)`,
    );
  }
  context.grow();
};
