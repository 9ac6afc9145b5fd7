/**
 * Checks one populated attribute: a relation, a component, or one with several possible types or components, where `on`
 * chooses what to show of each; with its options: `fields`, `filters`, `sort`, `populate` and `count`.
 */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { isUid } from "../../schema/uid.ts";
import type { AnyStatus, Cohort, Condition, Level, MorphLevel, Populate, QueryPath } from "../query.ts";
import type { Owner, RelationMember, ZoneMember } from "../schema.ts";
import { booleanWord, isAttribute } from "./context.ts";
import { checkFields, checkSort, scalarNames } from "./fields-and-sort.ts";
import { checkFilters } from "./filters.ts";
import { PathTree } from "./populate-paths.ts";
import { type CheckEntry, checkPopulate, checkTree, type Descent, isPopulatable } from "./populate.ts";
import { below, unknownKey } from "./position.ts";

const FILE = "plugin::upload.file";
const KEYS = new Set(["fields", "filters", "sort", "populate", "count"]);

/** Checks the options of a populated attribute, or of one component or type under `on`; `at` is what it leads to. */
const checkOptions = (at: Descent, value: unknown): ReturnType<typeof options> => {
  const { owner } = at;
  if (value === true) return options(at, {});
  if (value instanceof PathTree) {
    const level = { uid: owner.uid, fields: scalarNames(owner), populate: checkTree(at, value) };
    return { level, filters: undefined, sort: [], count: false };
  }
  if (value === "*") {
    refuseStar(at);
    return options(at, {});
  }
  const name = Array.isArray(value) && value.every((item) => typeof item === "string") ? value[0] : value;
  if (typeof name === "string") throw misplaced(name.split(".")[0] ?? "", at);
  if (!isRecord(value)) throw new ValidationError("Invalid nested populate. Expected '*' or an object");
  for (const key of Object.keys(value)) {
    if (KEYS.has(key) || booleanWord(key) !== undefined) continue;
    if (key === "on") refuseFragments(value[key], at);
    throw misplaced(key, at);
  }
  return options(at, value);
};

/**
 * The error for an attribute name where an option is expected: `populate[author]=profile`,
 * `populate[author][profile]=true`.
 */
const misplaced = (name: string, at: Descent): ValidationError =>
  unknownKey(name, at.owner.members.has(name) && isAttribute(name) ? below(at, name) : at);

/**
 * Refuses `populate[author]=*` if the target has something to populate: `populate[author][populate]=*` is the right
 * form. For files it means `true`, since nobody means to populate everything that refers to a file.
 */
const refuseStar = ({ owner, path }: Descent): void => {
  if (owner.uid === FILE) return;
  const first = [...owner.members.values()].find(({ kind, hidden }) => kind !== "scalar" && !hidden);
  if (first === undefined) return;
  const at = `${path}.${first.name}`;
  throw new ValidationError(`Invalid key ${first.name} at ${at}`, { key: first.name, path: at });
};

/** Refuses `on` for a relation whose target type is fixed. */
const refuseFragments = (value: unknown, place: QueryPath): never => {
  const at = below(place, "on");
  const [uid] = isRecord(value) ? Object.keys(value) : [];
  throw uid === undefined ? unknownKey("on", at) : unknownKey(uid, below(at, uid));
};

/** Checks the options. Paths in errors of filters and sort begin at the target. */
const options = (at: Descent, raw: Readonly<Record<string, unknown>>) => {
  const { owner } = at;
  const fresh = { ...at, path: null, steps: 0 };
  const sort = checkSort(fresh, raw["sort"]);
  const fields = checkFields(fresh, raw["fields"], sort);
  return {
    level: { uid: owner.uid, fields, populate: checkNested(at, raw["populate"]) },
    filters: raw["filters"] === undefined ? undefined : checkFilters(fresh, raw["filters"]),
    sort,
    count: checkCount(raw["count"], at),
  };
};

/** Checks a nested populate. Within an attribute's options, names must be a list and not a string. */
const checkNested = (at: Descent, raw: unknown): Populate[] => {
  const populate = checkPopulate(at, raw);
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  for (const entry of entries) {
    if (typeof entry !== "string" || entry === "*") continue;
    const [name = ""] = entry.split(".");
    if (!at.owner.members.has(name.trim())) throw unknownKey(name, at);
  }
  return populate;
};

/** The value of `count`, which accepts the words for booleans. */
const checkCount = (raw: unknown, place: QueryPath): boolean => {
  const wanted = raw === undefined ? false : booleanWord(raw);
  if (wanted === undefined) throw unknownKey("count", place);
  return wanted;
};

export const checkEntry: CheckEntry = (at, member, value) => {
  const { context } = at;
  checkDepth(at);
  context.budget.breadth.grow();
  const named = { ...below(at, member.name), depth: at.depth + 1 };
  const leadsToMany = member.kind === "relation" && member.many && !member.media;
  const inner = leadsToMany ? context.budget.behindMany(named, "populateSteps") : named;
  if (member.kind === "zone" || (member.kind === "relation" && member.target === undefined)) {
    return checkFragments(inner, member, value);
  }
  if (member.kind === "component") {
    const target = context.schema.component(member.component);
    return [{ kind: "component", name: member.name, ...checkOptions({ ...inner, owner: target }, value) }];
  }
  if (member.kind !== "relation" || member.target === undefined) return [];
  const target = context.schema.type(member.target);
  const status = context.statusOf(at.owner, at.status, target.uid, at.status);
  const options = checkOptions({ ...inner, owner: target, status }, value);
  if (!context.mayFollow(member)) return [];
  const cohort = context.cohortOf(target.type);
  const count = options.count && isCounted(member);
  const anyLocale = context.isOld && target.type.localized;
  return [{ kind: "relation", name: member.name, target: target.uid, status, cohort, anyLocale, ...options, count }];
};

/** Whether `count` applies. It does not for files, localizations and inverse sides of relations to any type. */
const isCounted = ({ source }: RelationMember): boolean => source.type === "relation" && !("morphBy" in source);

const checkDepth = ({ context, depth }: Descent): void => {
  const { populateDepth } = context.config.rest;
  if (depth < populateDepth) return;
  throw new ValidationError(
    `Invalid populate parameter. It nests deeper than ${populateDepth} levels (rest.populateDepth)`,
  );
};

type TypedMember = ZoneMember | RelationMember;

/** A type or component, and the versions to read; for a component, those of the document that contains it. */
interface Choice {
  readonly owner: Owner;
  readonly versions: { readonly status: AnyStatus; readonly cohort: Cohort | undefined; readonly anyVersion: boolean };
}

/** Checks a zone or a relation to any type; `value` is true, dotted paths, or raw options. */
const checkFragments = (at: Descent, member: TypedMember, value: unknown): Populate[] => {
  const choices = choicesOf(at, member);
  const entry = (fragments: readonly Fragment[], count = false): Populate[] => [
    member.kind === "zone"
      ? { kind: "zone", name: member.name, levels: fragments, count }
      : { kind: "morph", name: member.name, levels: fragments.map(ofType), count },
  ];
  if (value === true) return entry(choices.map((choice) => fragment(choice)));
  if (value instanceof PathTree) return entry(byPath(at, choices, value));
  const { on, populate, count: counted, ...more } = isRecord(value) ? value : {};
  const isWrong = !isRecord(value) || Object.keys(more).length > 0;
  if (populate !== undefined && populate !== null && populate !== "*") throw unknownKey("populate", at);
  // Without `on` the targets of a relation to any type are unknown, so other options show nothing.
  const isDropped = isWrong || (on !== undefined && !isRecord(on)) || (on === undefined && populate === "*");
  if (member.kind === "relation" && isDropped) return [];
  if (isWrong) throw wrongOptions(at.owner, member, value);
  const count = member.kind === "relation" && checkCount(counted, at);
  if (on !== undefined && on !== null) return entry(byName(at, choices, on), count);
  if (populate !== "*")
    return entry(
      choices.map((choice) => fragment(choice)),
      count,
    );
  return entry(
    choices.map((choice) => fragment(choice, checkPopulate(within(at, choice), "*"))),
    count,
  );
};

const choicesOf = ({ context, owner, status }: Descent, member: TypedMember): Choice[] => {
  const { schema } = context;
  if (member.kind === "zone")
    return member.components.map((uid) => ({
      owner: schema.component(uid),
      versions: { status, cohort: undefined, anyVersion: false },
    }));
  return schema.types
    .filter((type) => context.mayFind(type.type.uid))
    .map((target) => {
      const versions = {
        status: context.statusOf(owner, status, target.uid, status),
        cohort: context.cohortOf(target.type),
        anyVersion: context.mayReadDrafts(target.type.uid) && !(context.isOld && status === "published"),
      };
      return { owner: target, versions };
    });
};

/** The position of a choice. */
const within = (at: Descent, { owner, versions: { status } }: Choice): Descent => ({ ...at, owner, status });

type Fragment = Level & Choice["versions"] & { readonly filters: Condition | undefined };

const fragment = ({ owner, versions }: Choice, populate: readonly Populate[] = []): Fragment => ({
  uid: owner.uid,
  fields: scalarNames(owner),
  populate,
  filters: undefined,
  ...versions,
});

/** Applies a dotted path to every component or type that has an attribute with its next name. */
const byPath = (at: Descent, choices: readonly Choice[], tree: PathTree): Fragment[] => {
  for (const [name, inner] of tree.entries()) {
    if (!choices.some(({ owner }) => leadsOn(at, owner, name, inner))) throw unknownKey(name, below(at, name));
  }
  return choices.map((choice) => {
    const { owner } = choice;
    const valid = tree.only((name) => isPopulatableIn(owner, name) && leadsOn(at, owner, name, tree.below(name)));
    return fragment(choice, checkTree(within(at, choice), valid));
  });
};

const isPopulatableIn = (owner: Owner, name: string): boolean => {
  const member = owner.members.get(name);
  return member !== undefined && isPopulatable(member);
};

/** Whether the component has the attribute, and the rest of the path is valid below it. */
const leadsOn = (at: Descent, owner: Owner, name: string, inner: PathTree): boolean => {
  if (owner.members.get(name)?.hidden !== false) return false;
  if (inner.empty) return true;
  try {
    checkTree({ ...at, owner }, PathTree.of(name, inner));
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
};

const byName = (descent: Descent, choices: readonly Choice[], raw: unknown): Fragment[] => {
  const on = below(descent, "on");
  if (typeof raw !== "object" || raw === null) throw unknownKey("on", on);
  return Object.entries(raw).flatMap(([uid, value]) => {
    const choice = choices.find(({ owner }) => owner.uid === uid);
    if (choice === undefined) {
      // Ignores uids that exist but do not belong here, or that the caller may not read.
      if (descent.context.schema.has(uid)) return [];
      throw unknownKey(uid, below(on, uid));
    }
    // `false` does not exclude a component here; omitting its name does.
    const options = booleanWord(value) === undefined ? value : true;
    const { level, filters } = checkOptions(within(descent, choice), options);
    return [{ ...level, filters, ...choice.versions }];
  });
};

const ofType = (shown: Fragment): MorphLevel => {
  const { uid } = shown;
  if (!isUid(uid)) throw new Error(`${uid} is not a content type`);
  return { ...shown, uid };
};

const wrongOptions = (owner: Owner, member: TypedMember, value: unknown): ValidationError => {
  const model = owner.uid.slice(owner.uid.lastIndexOf(".") + 1);
  const found = JSON.stringify(value);
  return new ValidationError(
    `Invalid nested populate for ${model}.${member.name} (${owner.uid}). Expected a fragment ("on") or "count" but found ${found}`,
  );
};
