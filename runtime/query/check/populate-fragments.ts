/** Dynamic zones and relations to any type: `on` chooses what to show for each component or type. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { isUid } from "../../schema/uid.ts";
import type { Cohort, Condition, Level, MorphLevel, Populate, AnyStatus } from "../query.ts";
import type { Owner, RelationMember, ZoneMember } from "../schema.ts";
import { booleanWord } from "./context.ts";
import { scalarNames } from "./fields.ts";
import { below, type Place, unknownKey } from "./place.ts";
import { checkCount, checkOptions } from "./populate-options.ts";
import { PathTree } from "./populate-paths.ts";
import { checkPopulate, checkTree, type Descent, isPopulatable } from "./populate.ts";

type TypedMember = ZoneMember | RelationMember;

interface Choice {
  readonly owner: Owner;
  readonly versions: Versions;
}

/** The versions to read; for a component those of the document that contains it. */
interface Versions {
  readonly status: AnyStatus;
  readonly cohort: Cohort | undefined;
  readonly anyVersion: boolean;
}

/** Checks a zone or a relation to any type; `value` is true, dotted paths, or raw options. */
export const checkFragments = (
  descent: Descent,
  owner: Owner,
  member: TypedMember,
  value: unknown,
  place: Place,
): Populate[] => {
  const choices = choicesOf(descent, owner, member);
  if (value === true) return [entry(member, choices.map(plain), false)];
  if (value instanceof PathTree) return [entry(member, byPath(descent, choices, value, place), false)];
  const { on, populate, count: counted, ...more } = isRecord(value) ? value : {};
  const isWrong = !isRecord(value) || Object.keys(more).length > 0;
  if (populate !== undefined && populate !== null && populate !== "*") throw unknownKey("populate", place);
  // Without `on` the targets of a relation to any type are unknown; then other options show nothing.
  const isDropped = isWrong || (on !== undefined && !isRecord(on)) || (on === undefined && populate === "*");
  if (member.kind === "relation" && isDropped) return [];
  if (isWrong) throw wrongOptions(owner, member, value);
  const count = member.kind === "relation" && checkCount(counted, place);
  if (on !== undefined && on !== null) return [entry(member, byName(descent, choices, on, place), count)];
  if (populate !== "*") return [entry(member, choices.map(plain), count)];
  return [
    entry(
      member,
      choices.map((choice) => star(descent, choice, place)),
      count,
    ),
  ];
};

const choicesOf = ({ context, status }: Descent, owner: Owner, member: TypedMember): Choice[] => {
  const { schema } = context;
  if (member.kind === "zone")
    return member.components.map((uid) => ({
      owner: schema.component(uid),
      versions: { status, cohort: undefined, anyVersion: false },
    }));
  return schema.types
    .filter((type) => context.mayFind(type.type.uid))
    .map((target) => ({
      owner: target,
      versions: {
        status: context.statusOf(owner, status, target.uid, status),
        cohort: context.cohortOf(target.type),
        anyVersion: context.mayReadDrafts(target.type.uid),
      },
    }));
};

interface Fragment extends Level, Versions {
  readonly filters: Condition | undefined;
}

const plain = ({ owner, versions }: Choice): Fragment => ({
  uid: owner.uid,
  fields: scalarNames(owner),
  populate: [],
  filters: undefined,
  ...versions,
});

const star = (descent: Descent, { owner, versions }: Choice, place: Place): Fragment => ({
  uid: owner.uid,
  fields: scalarNames(owner),
  populate: checkPopulate({ ...descent, status: versions.status }, owner, "*", place),
  filters: undefined,
  ...versions,
});

/** Applies a dotted path to every component or type that has an attribute with its next name. */
const byPath = (descent: Descent, choices: readonly Choice[], tree: PathTree, place: Place): Fragment[] => {
  for (const [name, inner] of tree.entries()) {
    const at = below(place, name);
    if (!choices.some(({ owner }) => leadsOn(descent, owner, name, inner, at))) throw unknownKey(name, at);
  }
  return choices.map(({ owner, versions }) => ({
    uid: owner.uid,
    fields: scalarNames(owner),
    populate: checkTree(
      { ...descent, status: versions.status },
      owner,
      tree.only((name) => isPopulatableIn(owner, name) && leadsOn(descent, owner, name, tree.below(name), place)),
      place,
    ),
    filters: undefined,
    ...versions,
  }));
};

const isPopulatableIn = (owner: Owner, name: string): boolean => {
  const member = owner.members.get(name);
  return member !== undefined && isPopulatable(member);
};

/** Whether the component has the attribute, and the rest of the path is valid below it. */
const leadsOn = (descent: Descent, owner: Owner, name: string, inner: PathTree, place: Place): boolean => {
  if (owner.members.get(name)?.hidden !== false) return false;
  if (inner.empty) return true;
  try {
    checkTree(descent, owner, PathTree.of(name, inner), place);
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
};

const byName = (descent: Descent, choices: readonly Choice[], raw: unknown, place: Place): Fragment[] => {
  const at = below(place, "on");
  if (typeof raw !== "object" || raw === null) throw unknownKey("on", at);
  return Object.entries(raw).flatMap(([uid, value]) => {
    const choice = choices.find(({ owner }) => owner.uid === uid);
    if (choice === undefined) {
      // Uids that exist but do not belong here, or that the caller may not read, are ignored.
      if (descent.context.schema.has(uid)) return [];
      throw unknownKey(uid, below(at, uid));
    }
    const inner = { ...descent, status: choice.versions.status };
    // `false` does not exclude a component here; leaving out its name does.
    const { level, filters } = checkOptions(
      inner,
      choice.owner,
      booleanWord(value) === undefined ? value : true,
      place,
    );
    return [{ ...level, filters, ...choice.versions }];
  });
};

const entry = (member: TypedMember, fragments: readonly Fragment[], count: boolean): Populate => {
  if (member.kind === "zone") return { kind: "zone", name: member.name, levels: fragments, count };
  return { kind: "morph", name: member.name, levels: fragments.map(ofType), count };
};

const ofType = (fragment: Fragment): MorphLevel => {
  const { uid } = fragment;
  if (!isUid(uid)) throw new Error(`${uid} is no content type`);
  return { ...fragment, uid };
};

const wrongOptions = (owner: Owner, member: TypedMember, value: unknown): ValidationError => {
  const model = owner.uid.slice(owner.uid.lastIndexOf(".") + 1);
  const found = JSON.stringify(value);
  return new ValidationError(
    `Invalid nested populate for ${model}.${member.name} (${owner.uid}). Expected a fragment ("on") or "count" but found ${found}`,
  );
};
