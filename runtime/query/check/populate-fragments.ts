/** Dynamic zones and relations to any type: what is shown depends on what stands there (`on`). */
import { ValidationError } from "../../errors.ts";
import type { Cohort, Level, MorphLevel, Populate, Status } from "../query.ts";
import { isUid, type Owner, type RelationMember, type ZoneMember } from "../schema.ts";
import { booleanWord, isRecord, type Place, unknownKey } from "./context.ts";
import { scalarNames } from "./fields.ts";
import { checkCount, checkOptions } from "./populate-entry.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent } from "./populate.ts";

type Member = ZoneMember | RelationMember;

interface Choice {
  readonly owner: Owner;
  readonly versions: Versions;
}

/** The versions that are read; for a component those of the document that it stands in. */
interface Versions {
  readonly status: Status;
  readonly cohort: Cohort | undefined;
}

/** Checks a zone or a relation to any type; `value` is true, dotted paths, or raw options. */
export const checkFragments = (
  descent: Descent,
  owner: Owner,
  member: Member,
  value: unknown,
  place: Place,
): Populate[] => {
  const choices = choicesOf(descent, owner, member);
  if (value === true) return [entry(member, choices.map(plain), false)];
  if (value instanceof PathTree) return [entry(member, byPath(descent, choices, value, place), false)];
  if (!isRecord(value) || Object.keys(value).some((key) => !["on", "populate", "count"].includes(key))) {
    throw wrongOptions(owner, member, value);
  }
  const count = checkCount(value["count"]);
  if (value["on"] !== undefined) return [entry(member, byName(descent, choices, value["on"], place), count)];
  if (value["populate"] === undefined) return [entry(member, choices.map(plain), count)];
  if (value["populate"] !== "*") throw unknownKey("populate", place);
  // What a relation to any type leads to is only known by `on`; without it a nested populate shows nothing.
  if (member.kind === "relation") return [];
  return [
    entry(
      member,
      choices.map((choice) => star(descent, choice, place)),
      count,
    ),
  ];
};

const choicesOf = ({ context, status }: Descent, owner: Owner, member: Member): Choice[] => {
  const { schema } = context;
  if (member.kind === "zone")
    return member.components.map((uid) => ({
      owner: schema.component(uid),
      versions: { status, cohort: undefined },
    }));
  return schema.types
    .filter((type) => context.mayFind(type.type.uid))
    .map((target) => ({
      owner: target,
      versions: {
        status: context.statusOf(owner, status, target.uid, status),
        cohort: target.type.draftAndPublish ? context.cohort : undefined,
      },
    }));
};

type Fragment = Level & Versions;

const plain = ({ owner, versions }: Choice): Fragment => ({
  uid: owner.uid,
  fields: scalarNames(owner),
  populate: [],
  ...versions,
});

const star = (descent: Descent, { owner, versions }: Choice, place: Place): Fragment => ({
  uid: owner.uid,
  fields: scalarNames(owner),
  populate: checkPopulate({ ...descent, status: versions.status }, owner, "*", place),
  ...versions,
});

/** A dotted path goes into every component or type that knows its next name. */
const byPath = (descent: Descent, choices: readonly Choice[], tree: PathTree, place: Place): Fragment[] => {
  for (const [name] of tree.entries()) {
    if (!choices.some(({ owner }) => owner.members.get(name)?.hidden === false)) {
      throw unknownKey(name, { ...place, path: `${place.path}.${name}` });
    }
  }
  return choices.map(({ owner, versions }) => ({
    uid: owner.uid,
    fields: scalarNames(owner),
    populate: checkTree(
      { ...descent, status: versions.status },
      owner,
      tree.only((name) => owner.members.has(name)),
      place,
    ),
    ...versions,
  }));
};

const byName = (descent: Descent, choices: readonly Choice[], raw: unknown, place: Place): Fragment[] => {
  if (!isRecord(raw)) throw unknownKey("on", place);
  return Object.entries(raw).flatMap(([uid, value]) => {
    const choice = choices.find(({ owner }) => owner.uid === uid);
    if (choice === undefined) {
      // A type that the caller may not find is left out, like any relation to it.
      if (descent.context.schema.hasType(uid) && isMorph(choices)) return [];
      throw unknownKey(uid, { ...place, path: `${place.path}.on.${uid}` });
    }
    const wanted = booleanWord(value);
    if (wanted === false) return [];
    const inner = { ...descent, status: choice.versions.status };
    const options = checkOptions(inner, choice.owner, wanted ?? value, { ...place, path: null });
    return [{ ...options.level, ...choice.versions }];
  });
};

const isMorph = (choices: readonly Choice[]): boolean => choices.every(({ owner }) => owner.type !== undefined);

const entry = (member: Member, fragments: readonly Fragment[], count: boolean): Populate => {
  if (member.kind === "zone") return { kind: "zone", name: member.name, levels: fragments, count };
  return { kind: "morph", name: member.name, levels: fragments.map(ofType), count };
};

const ofType = (fragment: Fragment): MorphLevel => {
  const { uid } = fragment;
  if (!isUid(uid)) throw new Error(`${uid} is no content type`);
  return { ...fragment, uid };
};

const wrongOptions = (owner: Owner, member: Member, value: unknown): ValidationError => {
  const model = owner.uid.slice(owner.uid.lastIndexOf(".") + 1);
  const found = JSON.stringify(value);
  return new ValidationError(
    `Invalid nested populate for ${model}.${member.name} (${owner.uid}). Expected a fragment ("on") or "count" but found ${found}`,
  );
};
