/** Applies the change that a body requests to the current targets of a relation or media attribute. */
import { ValidationError } from "../../base/errors.ts";
import type { Attribute, Field } from "../../schema/content-type.ts";
import type { Reference, RelationChange } from "../../schema/validation/relation-value.ts";
import type { Target, Targets } from "../body/references.ts";

/** A link to add. */
interface Link extends Target {
  /** Where it is inserted; at the end by default. */
  readonly position?:
    | { readonly at: "start" | "end" }
    /** Next to the existing link to `neighbour`. */
    | { readonly at: "before" | "after"; readonly neighbour: Target }
    | undefined;
}

/** The links for the references, without those whose target does not exist. */
const linksOf = (targets: Targets, attribute: Attribute | Field, references: readonly Reference[]): readonly Link[] =>
  references.flatMap((reference): Link[] => {
    const target = targets.find(attribute, reference);
    const { position } = reference;
    if (!target) return [];
    if (!position || !("neighbour" in position)) return [{ ...target, position }];
    const { at, neighbour } = position;
    const key = String(neighbour.id ?? neighbour.documentId);
    const found = targets.find(attribute, neighbour) ?? { key, id: neighbour.id ?? key };
    return [{ ...target, position: { at, neighbour: found } }];
  });

const without = (list: readonly string[], key: string): string[] => list.filter((each) => each !== key);

const unique = (keys: readonly string[]): string[] => [...new Set(keys)];

const insert = (list: readonly string[], { key, id, position }: Link, strict: boolean): string[] => {
  const rest = without(list, key);
  if (!position || !("neighbour" in position)) return position?.at === "start" ? [key, ...rest] : [...rest, key];
  const { at, neighbour } = position;
  const index = rest.indexOf(neighbour.key);
  if (index < 0 && strict) {
    throw new ValidationError(
      `There was a problem connecting relation with id ${id} at position ${JSON.stringify({ [at]: neighbour.id })}. The relation with id ${neighbour.id} needs to be connected first.`,
    );
  }
  return index < 0 ? [...rest, key] : rest.toSpliced(at === "before" ? index : index + 1, 0, key);
};

/** The maximum number of times that a body may name the same target: twice is harmless, more is a mistake. */
const MOST_OFTEN = 2;

/** @throws ValidationError when a target is named too often */
const byKeyOf = (connect: readonly Link[]): ReadonlyMap<string, Link> => {
  const byKey = new Map<string, Link>();
  const times = new Map<string, number>();
  for (const link of connect) {
    const { key, id } = link;
    if (!byKey.has(key)) byKey.set(key, link);
    times.set(key, (times.get(key) ?? 0) + 1);
    if ((times.get(key) ?? 0) > MOST_OFTEN) {
      throw new ValidationError(
        `The relation with id ${id} is already connected. You cannot connect the same relation twice.`,
      );
    }
  }
  return byKey;
};

/**
 * Each target once, in the order of the body. However, a neighbour that the same body connects comes before the links
 * placed next to it, unless the list already contains it.
 */
const inOrder = (connect: readonly Link[], current: readonly string[]): readonly Link[] => {
  const byKey = byKeyOf(connect);
  const present = new Set(current);
  const ordered: Link[] = [];
  const neighbourOf = ({ position }: Link): Link | undefined =>
    position && "neighbour" in position ? byKey.get(position.neighbour.key) : undefined;
  const visit = (link: Link, path: ReadonlySet<string>): void => {
    const neighbour = neighbourOf(link);
    if (neighbour && path.has(neighbour.key)) {
      throw new ValidationError(
        "A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it",
      );
    }
    if (ordered.includes(link)) return;
    if (neighbour && !present.has(neighbour.key)) visit(neighbour, new Set([...path, neighbour.key]));
    ordered.push(link);
  };
  for (const link of byKey.values()) visit(link, new Set([link.key]));
  return ordered;
};

/**
 * The keys of the new list. A target that is both connected and disconnected stays connected; so does one that the
 * writer does not see, since it cannot have meant to remove it.
 */
export const toMany = (
  targets: Targets,
  attribute: Attribute | Field,
  { set, connect, disconnect, strict }: RelationChange,
  current: readonly string[],
): readonly string[] => {
  const links = (references: readonly Reference[]) => linksOf(targets, attribute, references);
  if (set) return unique([...links(set).map(({ key }) => key), ...targets.hiddenAmong(attribute, current)]);
  const added = links(connect);
  const connected = inOrder(added, current).reduce<readonly string[]>(
    (list, link) => insert(list, link, strict),
    current,
  );
  // A disconnected target can still serve as the neighbour of a connected one.
  const left = new Set(links(disconnect).map(({ key }) => key));
  for (const { key } of added) left.delete(key);
  return connected.filter((key) => !left.has(key));
};

/**
 * The key of the new target, or null: the last item of a `set`, or the first of `connect`. A target that the writer does
 * not see stays unless another takes its place.
 */
export const toOne = (
  targets: Targets,
  attribute: Attribute | Field,
  { set, connect, disconnect }: RelationChange,
  current: string | null,
): string | null => {
  const keys = (references: readonly Reference[]) => linksOf(targets, attribute, references).map(({ key }) => key);
  if (set) return keys(set).at(-1) ?? targets.hiddenAmong(attribute, current === null ? [] : [current])[0] ?? null;
  const [first] = keys(connect);
  if (first !== undefined) return first;
  return current !== null && keys(disconnect).includes(current) ? null : current;
};
