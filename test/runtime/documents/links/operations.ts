/** What concurrent writers do to the relations between items and groups. Documents are told apart by small numbers. */
import * as fc from "fast-check";

export type State = "draft" | "published";
export type Locale = "en" | "fr";

export const DOCUMENTS = [0, 1, 2] as const;

export interface Connected {
  readonly key: number;
  readonly position?: { readonly before: number } | { readonly after: number } | { readonly start: true };
}

/** A change of a list, as bodies have it. */
export type Change =
  | { readonly set: readonly number[] }
  | { readonly connect: readonly Connected[]; readonly disconnect: readonly number[] };

const document = fc.constantFrom(...DOCUMENTS);
const documents = fc.uniqueArray(document);
const position = fc.oneof(
  fc.record({ before: document }),
  fc.record({ after: document }),
  fc.constant({ start: true as const }),
);
const connected = fc.oneof(
  { weight: 3, arbitrary: fc.record({ key: document }) },
  { weight: 1, arbitrary: fc.record({ key: document, position }) },
);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ set: documents }) },
  {
    weight: 4,
    arbitrary: fc.record({
      connect: fc.uniqueArray(connected, { maxLength: 2, selector: ({ key }) => key }),
      disconnect: fc.uniqueArray(document, { maxLength: 1 }),
    }),
  },
);

const one = fc.option(document);
const locale = fc.constantFrom<Locale>("en", "fr");
const state = fc.constantFrom<State>("published", "published", "draft");
const type = fc.constantFrom<"items" | "groups">("items", "groups");

const writeItem = fc.record({
  kind: fc.constant("write item" as const),
  document,
  locale,
  state,
  data: fc.record({ groups: change, team: one, badge: one }, { requiredKeys: [] }),
});
const writeGroup = fc.record({
  kind: fc.constant("write group" as const),
  document,
  locale,
  state,
  data: fc.record({ members: change, staff: change, holder: one }, { requiredKeys: [] }),
});
const other = fc.record({
  kind: fc.constantFrom("publish", "publish", "unpublish", "discard"),
  type,
  document,
  locale,
});
const removal = fc.record({ kind: fc.constant("delete" as const), type, document });

const operation = fc.oneof(
  { weight: 6, arbitrary: writeItem },
  { weight: 6, arbitrary: writeGroup },
  { weight: 4, arbitrary: other },
  { weight: 1, arbitrary: removal },
);
export type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;
export type Write = Extract<Operation, { readonly data: object }>;

/** Operations that are sent at once, and again when all of them have been answered. */
export const waves = fc.array(fc.array(operation, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 3 });

/** The list after a change, as the contract describes it; undefined where a neighbour is not in it. */
export const changed = (list: readonly number[], wanted: Change): readonly number[] | undefined => {
  if ("set" in wanted) return wanted.set;
  let now = [...list];
  for (const { key, position: at } of inOrder(wanted.connect, list)) {
    now = now.filter((each) => each !== key);
    if (!at) now.push(key);
    else if ("start" in at) now.unshift(key);
    else {
      const index = now.indexOf("before" in at ? at.before : at.after);
      if (index < 0) return undefined;
      now.splice("before" in at ? index : index + 1, 0, key);
    }
  }
  const kept = new Set(wanted.connect.map(({ key }) => key));
  return now.filter((each) => kept.has(each) || !wanted.disconnect.includes(each));
};

const neighbourOf = ({ position: at }: Connected): number | undefined =>
  at === undefined || "start" in at ? undefined : "before" in at ? at.before : at.after;

/** Neighbours that are not there, and are connected by the same body, come first; there are two at most. */
const inOrder = (connect: readonly Connected[], list: readonly number[]): readonly Connected[] => {
  const [first, second] = connect;
  return first && second && neighbourOf(first) === second.key && !list.includes(second.key) ? [second, first] : connect;
};

/** Whether the contract refuses a change: two that name one another and are not both there, or one that names itself. */
export const isCircular = (wanted: Change, list: readonly number[]): boolean => {
  if ("set" in wanted) return false;
  const [first, second] = wanted.connect;
  if (wanted.connect.some((each) => neighbourOf(each) === each.key)) return true;
  return (
    first !== undefined &&
    second !== undefined &&
    !(list.includes(first.key) && list.includes(second.key)) &&
    neighbourOf(first) === second.key &&
    neighbourOf(second) === first.key
  );
};
