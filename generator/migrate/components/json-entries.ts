/** The changes to component entries, as data: `print-json.ts` prints the SQL. */
import { type Change, type Paired, type PairedAttribute, pairedAttributes } from "../change.ts";
import { pointsElsewhere } from "../links/move-links.ts";
import { isMany } from "../names/meaning.ts";
import type { Pairing } from "../names/pairings.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ComponentOutline } from "../snapshot.ts";
import { literal } from "../sql.ts";
import type { Draft } from "../step.ts";
import { type Connection, connect, isEmptied, leavingFields } from "./field-moves.ts";
import { newFields } from "./fill-defaults.ts";
import type { EntryChange, EntryStep, Fields, ValueStep } from "./json-change.ts";
import { rewriteScalar } from "./json-scalar.ts";
import { call, ENTRY, fieldOf, GIVEN, renames } from "./json-sql.ts";
import { dareHere, nothing, type Place, reshape, rewriteJson, type Taken } from "./json-values.ts";
import { fieldOfStored, isJson, type Json, storedEntries, storedInColumn } from "./stored-entries.ts";

/** A column that holds components. */
interface ColumnPlace {
  /** Its name in messages. */
  readonly name: string;
  /** Its table's old name. */
  readonly table: string;
}

type Both = Paired<ComponentOutline>;

/** Links of polymorphic relations name the type of each document; others do not. */
const retype = (place: Place, before: AttributeOutline, after: AttributeOutline): readonly ValueStep[] => {
  if (before.kind !== "relation" || after.kind !== "relation") return [];
  const { name } = place;
  const { contentTypes } = place.change.correspondence;
  if (before.target !== undefined && after.target === undefined) {
    const type = contentTypes.find(({ old }) => old === before.target)?.new ?? before.target;
    return [call("type", literal(type))];
  }
  if (before.target === undefined && after.target !== undefined) {
    const reason = `${name} becomes a relation to one type: targets of other types would be dropped`;
    const type = contentTypes.find((each) => each.new === after.target)?.old ?? after.target;
    const what = `targets of other types in ${name}`;
    const end = before.many ? "[*]" : "";
    dareHere(place, `narrow:${name}`, reason, what, what, {
      end,
      where: ` and value ->> '__type' <> ${literal(type)}`,
    });
    return [call("untype", literal(type))];
  }
  const renamed = contentTypes.filter((pairing) => pairing.old !== pairing.new);
  if (after.target !== undefined || renamed.length === 0) return [];
  return [call("rename_types", renames(renamed))];
};

/** Values that come from elsewhere in the entry, or from single components in it. */
const incoming = (connections: readonly Connection[], child: string | undefined): Fields =>
  connections
    .filter(({ to }) => to.child === child)
    .map(({ from, to }) => [
      to.field,
      fieldOf(from.child === undefined ? GIVEN : fieldOf(GIVEN, from.child), from.field),
    ]);

const moves = (connections: readonly Connection[]): readonly EntryStep[] => {
  const own = incoming(connections, undefined);
  const children = new Set(connections.flatMap(({ to }) => to.child ?? []));
  return [
    ...(own.length > 0 ? [{ kind: "add", fields: own } as const] : []),
    ...[...children].map((field) => ({ kind: "fill", field, fields: incoming(connections, field) }) as const),
  ];
};

/** Fields without a successor. */
const goneFields = ({ pairing, before }: Both): readonly (readonly [string, AttributeOutline])[] =>
  Object.entries(before.attributes).filter(([name]) => !pairing.attributes.some((pair) => pair.old === name));

const connectionsIn = (change: Change, draft: Draft, { pairing, before, after }: Both): readonly Connection[] =>
  connect(change, draft, pairing, { before: before.attributes, after: after.attributes, isRow: false });

/** Names what is lost with removed fields, unless it has moved. */
const noteGone = (change: Change, draft: Draft, both: Both, taken: Taken): void => {
  const connections = connectionsIn(change, draft, both);
  const uid = both.pairing.new;
  const stored = storedEntries(change.old, both.pairing.old);
  for (const [name, attribute] of goneFields(both)) {
    const isMoved =
      taken.has(name) ||
      connections.some(({ from }) => from.child === undefined && from.field === name) ||
      isEmptied(connections, name, attribute, change.old.components);
    if (isMoved) continue;
    const reason = `field ${name} of component ${uid} would be dropped with all its values`;
    const place = { change, draft, name: `${uid}.${name}`, stored: fieldOfStored(stored, name) };
    const value = own(change.old.defaults, `${both.pairing.old}.${name}`);
    const counted =
      value === undefined ? {} : { beyondDefault: ` and value <> ${literal(JSON.stringify(value))}::jsonb` };
    dareHere(place, `drop:${place.name}`, reason, `every value of ${place.name}`, `values of ${place.name}`, counted);
  }
};

/** Changes of components in one direction of a migration, collected while visiting the values that hold them. */
export class EntryChanges {
  /** The components that change, each after those that it contains. */
  readonly all: EntryChange[] = [];
  readonly #change: Change;
  readonly #draft: Draft;
  /** By pairing; undefined while it is being visited, which means that it contains itself. */
  readonly #known = new Map<Pairing, boolean | undefined>();
  readonly #typeUid: ReadonlyMap<string, string>;

  constructor(change: Change, draft: Draft) {
    this.#change = change;
    this.#draft = draft;
    this.#typeUid = new Map(change.correspondence.contentTypes.map((pairing) => [pairing.old, pairing.new]));
  }

  /** The changes to an attribute's value; `taken` are fields of its single component that have already moved. */
  attribute(before: Json, after: Json, { name, table }: ColumnPlace, taken: Taken = nothing): readonly ValueStep[] {
    const stored = storedInColumn(table, before.column);
    const place = { change: this.#change, draft: this.#draft, name, stored };
    return rewriteJson(place, before, after, this.#changes, taken);
  }

  #fieldSteps({ pair, before, after }: PairedAttribute, pairing: Pairing, taken: Taken): readonly ValueStep[] {
    const change = this.#change;
    const name = `${pairing.new}.${pair.new}`;
    const stored = fieldOfStored(storedEntries(change.old, pairing.old), pair.old);
    const place: Place = { change, draft: this.#draft, name, stored };
    if (isJson(before) && isJson(after)) return rewriteJson(place, before, after, this.#changes, taken);
    if (before.kind === "scalar" && after.kind === "scalar") {
      const value = rewriteScalar(place, change.hints.get(name), before, after, fieldOf(ENTRY, pair.old));
      if (value === undefined) return [];
      return [value === "null" ? { kind: "empty" } : { kind: "sql", value }];
    }
    if (pointsElsewhere(before, after, this.#typeUid)) {
      const reason = `${name} points to other documents than before: its links would be dropped`;
      const end = isMany(before) ? "[*]" : "";
      dareHere(place, `drop:${name}`, reason, `every link of ${name}`, `links of ${name}`, { end });
      return [{ kind: "empty" }];
    }
    if (before.kind === after.kind) return [...retype(place, before, after), ...reshape(place, before, after)];
    const reason = `${name} changes from ${before.kind} to ${after.kind}: its values would be emptied`;
    dareHere(place, `drop:${name}`, reason, `every value of ${name}`, `values of ${name}`);
    return [{ kind: "empty" }];
  }

  #stepsOf(both: Both): readonly EntryStep[] {
    const { pairing, before, after } = both;
    const connections = connectionsIn(this.#change, this.#draft, both);
    const paired = pairedAttributes(pairing.attributes, before, after);
    const changed = paired.flatMap((each): EntryStep[] => {
      const steps = this.#fieldSteps(each, pairing, leavingFields(connections, each.pair.old));
      return steps.length === 0 ? [] : [{ kind: "change", field: each.pair.old, steps }];
    });
    const gone = goneFields(both).map(([name]) => literal(name));
    const renamed = paired.map(({ pair }) => pair).filter((pair) => pair.old !== pair.new);
    const come = newFields(this.#change, pairing);
    return [
      ...changed,
      ...(gone.length > 0 ? [call("remove", ...gone)] : []),
      ...(renamed.length > 0 ? [call("rename", renames(renamed))] : []),
      ...moves(connections),
      ...(come.length > 0 ? [{ kind: "add", fields: come } as const] : []),
    ];
  }

  readonly #changes = (pairing: Pairing, taken: Taken): boolean => {
    const [before, after] = [this.#change.old.components[pairing.old], this.#change.next.components[pairing.new]];
    if (!before || !after) return false;
    const both = { pairing, before, after };
    noteGone(this.#change, this.#draft, both, taken);
    if (this.#known.has(pairing)) return this.#known.get(pairing) ?? true;
    this.#known.set(pairing, undefined);
    const steps = this.#stepsOf(both);
    this.#known.set(pairing, steps.length > 0);
    if (steps.length > 0) this.all.push({ entry: pairing, steps });
    return steps.length > 0;
  };
}
