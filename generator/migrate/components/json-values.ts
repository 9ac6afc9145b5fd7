/** The changes to values that hold components, as data: `print-json.ts` prints the SQL. No steps means no change. */
import type { Change } from "../change.ts";
import { isMany } from "../names/meaning.ts";
import type { Pairing } from "../names/pairings.ts";
import { own } from "../own.ts";
import type { AttributeOutline } from "../snapshot.ts";
import { literal } from "../sql.ts";
import { type Draft, dare } from "../step.ts";
import type { ValueStep } from "./json-change.ts";
import { call, renames } from "./json-sql.ts";
import { type Counted, countStored, type Json, type Stored } from "./stored-entries.ts";

type Zone = Extract<Json, { kind: "dynamiczone" }>;
type Component = Extract<Json, { kind: "component" }>;

/** Fields whose values have already moved. */
export type Taken = ReadonlySet<string>;
export const nothing: Taken = new Set();

/** Whether entries of a component change, if it is used. `taken` are fields that moved out of them. */
export type ChangesOf = (pairing: Pairing, taken: Taken) => boolean;

/** A value at its place, with the place's name for messages. */
export interface Place {
  readonly change: Change;
  readonly draft: Draft;
  readonly name: string;
  /** Where the value is stored before the migration. */
  readonly stored: Stored;
}

/** Schedules counts of some values before the migration runs. */
export const noteStored = ({ draft, stored }: Place, what: string, counted: Counted, stops?: string): void => {
  const sql = countStored(stored, counted);
  if (sql === undefined) return;
  const { where = "", beyondDefault: narrower } = counted;
  const beyondDefault =
    narrower === undefined ? undefined : countStored(stored, { ...counted, where: `${where}${narrower}` });
  draft.concerns.push({ what, sql, beyondDefault, stops });
};

/**
 * Records what the value may lose, as `dare` does.
 *
 * @param loss as the header names it
 * @param what what to count of it
 */
export const dareHere = (
  place: Place,
  flag: string,
  reason: string,
  loss: string,
  what: string,
  counted: Counted = {},
): boolean => {
  if (!dare(place.draft, flag, reason, loss)) return false;
  noteStored(place, what, counted);
  return true;
};

/** Turns a single value into a list, or a list into its first value. */
export const reshape = (
  place: Place,
  before: AttributeOutline,
  after: AttributeOutline,
  beyondFirst: Counted = { end: "[1 to last]" },
): ValueStep[] => {
  if (isMany(before) === isMany(after)) return [];
  if (isMany(after)) return [call("list")];
  const { name } = place;
  const reason = `${name} becomes a single value: only the first of several would be kept`;
  const what = `entries of ${name} beyond the first of each`;
  dareHere(place, `narrow:${name}`, reason, `all but the first of ${name}`, what, beyondFirst);
  return [{ kind: "first" }];
};

const componentsOf = (attribute: Json): readonly string[] =>
  attribute.kind === "dynamiczone" ? attribute.components : [attribute.component];

/** The successor of entries of the component `old`: the same one, or a new one that says it comes from it. */
const continuation = ({ correspondence }: Change, old: string, before: Json, after: Json): Pairing | undefined => {
  const taken = componentsOf(after);
  const same = correspondence.components.find((pairing) => pairing.old === old && taken.includes(pairing.new));
  return (
    same ??
    correspondence.successors.find(
      (pairing) => pairing.old === old && taken.includes(pairing.new) && !componentsOf(before).includes(pairing.new),
    )
  );
};

/** Leaves out entries of a component that hold nothing but its fields' defaults. */
const beyondDefaults = ({ old }: Change, uid: string): string => {
  const fields = Object.keys(old.components[uid]?.attributes ?? {});
  const defaults = Object.fromEntries(fields.map((name) => [name, own(old.defaults, `${uid}.${name}`)]));
  const known = `${literal(JSON.stringify(defaults))}::jsonb`;
  return (
    ` and exists (select from jsonb_each(value - array['id', '__component']) as field (name, content) ` +
    `where content not in ('null', '[]') and content is distinct from ${known} -> name)`
  );
};

/** The components that a zone no longer allows, if they may be dropped. */
const leaving = (place: Place, before: Zone, stays: (old: string) => boolean): ValueStep[] => {
  const gone = before.components.filter((old) => {
    const what = `entries of ${old} in ${place.name}`;
    const end = `[*] ? (@."__component" == ${JSON.stringify(old)})`;
    const counted = { end, beyondDefault: beyondDefaults(place.change, old) };
    return !stays(old) && dareHere(place, `drop:${place.name}.${old}`, `${what} would be dropped`, what, what, counted);
  });
  return gone.length === 0 ? [] : [call("without", ...gone.map(literal))];
};

const rewriteZone = (place: Place, before: Zone, after: Zone, changes: ChangesOf): readonly ValueStep[] => {
  const pairings = before.components.flatMap((old) => continuation(place.change, old, before, after) ?? []);
  const steps = leaving(place, before, (old) => pairings.some((pairing) => pairing.old === old));
  for (const pairing of pairings) if (changes(pairing, nothing)) steps.push({ kind: "eachOf", entry: pairing });
  const renamed = pairings.filter((pairing) => pairing.old !== pairing.new);
  return renamed.length === 0 ? steps : [...steps, call("rename_components", renames(renamed))];
};

/** The entries of one component in a zone. */
const beyondFirstOf = (component: string): Counted => {
  const entries = `jsonb_path_query_array(value, ${literal(`$[*] ? (@."__component" == ${JSON.stringify(component)})`)})`;
  return { amount: `coalesce(sum(greatest(jsonb_array_length(${entries}) - 1, 0)), 0)` };
};

/** Turns a zone into a component: keeps entries of that component, without its name in them. */
const unzone = (place: Place, before: Zone, after: Component, changes: ChangesOf): readonly ValueStep[] => {
  const pairings = before.components.flatMap((old) => continuation(place.change, old, before, after) ?? []);
  const [kept] = pairings;
  const steps = leaving(place, before, (old) => old === kept?.old);
  if (kept === undefined) return [{ kind: "empty" }];
  if (changes(kept, nothing)) steps.push({ kind: "each", entry: kept });
  return [...steps, call("unname"), ...reshape(place, before, after, beyondFirstOf(kept.old))];
};

const rewriteComponent = (
  place: Place,
  before: Component,
  after: Json,
  changes: ChangesOf,
  taken: Taken,
): readonly ValueStep[] => {
  const pairing = continuation(place.change, before.component, before, after);
  if (pairing === undefined) {
    const target = after.kind === "component" ? after.component : "a dynamic zone without it";
    const reason = `${place.name} changes from ${before.component} to ${target}: its values would be emptied`;
    dareHere(place, `drop:${place.name}`, reason, `every value of ${place.name}`, `values of ${place.name}`);
    return [{ kind: "empty" }];
  }
  const steps: ValueStep[] = [];
  if (changes(pairing, isMany(before) ? nothing : taken))
    steps.push({ kind: isMany(before) ? "each" : "entry", entry: pairing });
  if (after.kind === "dynamiczone") steps.push(call("name", literal(pairing.new)));
  return [...steps, ...reshape(place, before, after)];
};

/** The changes to the value of an attribute that holds components. */
export const rewriteJson = (
  place: Place,
  before: Json,
  after: Json,
  changes: ChangesOf,
  taken: Taken,
): readonly ValueStep[] => {
  if (before.kind === "component") return rewriteComponent(place, before, after, changes, taken);
  return after.kind === "dynamiczone"
    ? rewriteZone(place, before, after, changes)
    : unzone(place, before, after, changes);
};
