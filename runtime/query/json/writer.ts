/**
 * Composes the function that writes the rows of a level as JSON text, once per plan. It appends to one text, so that
 * parts are not joined again and again; the result is copied once, at the end.
 */
import type { Row, Value } from "../../database/database.ts";
import type { AnswerSize } from "../answer-size.ts";
import type { EntryLevel, MemberPlan, RowLevel } from "../plan/plan.ts";
import { componentEntries, type ComponentPlan, type Entry, zoneEntries, type ZonePlan } from "../rows/entries.ts";
import { type MorphPlan, morphRows, type RelationPlan, relatedRows, storedIn } from "../rows/follow.ts";
import type { RowSet } from "../rows/row-set.ts";
import { type Encode, encodeEntry, encoderOf } from "./encode.ts";
import { Heads } from "./heads.ts";

/**
 * State while one answer is written: its length, and the texts of rows that several other rows refer to, which are
 * written once.
 */
export class Written {
  readonly texts = new Map<RowSet, string[]>();
  readonly size: AnswerSize;

  constructor(size: AnswerSize) {
    this.size = size;
  }
}

/** Returns the text of the row at a position. */
export type WriteRow = (written: Written, set: RowSet, position: number) => string;

type WriteEntry = (written: Written, set: RowSet, row: Row, entry: Entry) => string;

/** Returns the text of a member from its value, which comes from the row or from a component's JSON. */
type WriteMember = (written: Written, set: RowSet, row: Row, value: unknown) => string;

/**
 * `flat`: as in version 5 of the wire format. `nested`: each row has an `attributes` object, and relations are wrapped
 * in `data`; below relations to any type everything is flat. `old`: nested, without the members that version 4 did not
 * have. `old-flat`: flat, without these members.
 */
export type Format = "flat" | "nested" | "old" | "old-flat";

const FLAT: Readonly<Record<Format, Format>> = {
  flat: "flat",
  nested: "flat",
  old: "old-flat",
  "old-flat": "old-flat",
};

const isNested = (format: Format): boolean => format === "nested" || format === "old";
const isOld = (format: Format): boolean => format === "old" || format === "old-flat";

/**
 * Whether version 4 had a member: its documents have no documentId, types without drafts no `publishedAt`, and files no
 * focal point.
 */
const wasThere =
  (format: Format, { drafts, uid }: RowLevel) =>
  ({ name }: RowLevel["columns"][number]): boolean =>
    !isOld(format) ||
    (name !== "documentId" &&
      (drafts || name !== "publishedAt") &&
      (uid !== "plugin::upload.file" || name !== "focalPoint"));

const IDENTITY: ReadonlySet<string> = new Set(["id", "documentId"]);

interface Column {
  readonly head: string;
  readonly index: number;
  readonly encode: Encode;
}

interface WrittenMember {
  readonly head: string;
  readonly plan: MemberPlan;
  readonly write: WriteMember;
}

/** @param path names of the relations that lead to this level */
export const rowWriter = (level: RowLevel, asked: Format, path = ""): WriteRow => {
  const format = level.typed ? FLAT[asked] : asked;
  const nested = isNested(format);
  const heads = new Heads();
  const shown = level.columns.filter(wasThere(format, level));
  const ids = shown.filter(({ name }) => IDENTITY.has(name));
  const attributes = shown.filter(({ name }) => !IDENTITY.has(name));
  const column = ({ name, type, index }: RowLevel["columns"][number]): Column => ({
    head: heads.next(name),
    index,
    encode: encoderOf(type),
  });
  const identity = ids.map(column);
  if (nested) heads.enter("attributes");
  const columns = [...identity, ...attributes.map(column)];
  const members = level.members.map((plan): WrittenMember => ({
    head: heads.next(plan.as),
    plan,
    write: memberWriter(plan, format, below(path, plan)),
  }));
  const type = level.typed ? `${heads.next("__type")}${JSON.stringify(level.uid)}` : "";
  const tail = `${type}${heads.end()}${nested ? "}}" : "}"}`;
  return (written, set, position) => {
    const row = set.rows[position] ?? NO_VALUES;
    let text = "";
    for (const { head, index, encode } of columns) text += head + encode(row[index] ?? null);
    for (const { head, plan, write } of members) text += head + write(written, set, row, storedIn(set, plan, row));
    return text + tail;
  };
};

const NO_VALUES: readonly Value[] = [];

/** The same, but writes each row once even if several rows refer to it. */
const once =
  (write: WriteRow): WriteRow =>
  (written, set, position) => {
    let texts = written.texts.get(set);
    if (texts === undefined) {
      texts = [];
      written.texts.set(set, texts);
    }
    return (texts[position] ??= write(written, set, position));
  };

const below = (path: string, { as }: MemberPlan): string => (path === "" ? as : `${path}.${as}`);

/** A JSON array of the texts that `write` returns for the items. */
export const listText = <Item>(
  { size }: Written,
  path: string,
  items: readonly Item[],
  write: (item: Item) => string,
): string => {
  let text = "";
  for (const item of items) {
    text += text === "" ? write(item) : `,${write(item)}`;
    size.check(text.length, path);
  }
  return `[${text}]`;
};

const countText = (count: number): string => `{"count":${count}}`;

const memberWriter = (member: MemberPlan, format: Format, path: string): WriteMember => {
  switch (member.kind) {
    case "lookup":
    case "join":
      return relationWriter(member, format, path);
    case "morph":
      return morphWriter(member, FLAT[format], path);
    case "component":
      return componentWriter(member, format, path);
    case "zone":
      return zoneWriter(member, format, path);
  }
};

const relationWriter = (member: RelationPlan, format: Format, path: string): WriteMember => {
  const { many, count, loose } = member;
  const write = once(rowWriter(member.target, format, path));
  const isNullWhenEmpty = loose && isOld(format);
  const text: WriteMember = (written, set, row, value) => {
    const { set: target = set, positions = [] } = relatedRows(set, member, value, row) ?? {};
    if (count) return countText(positions.length);
    const [first] = positions;
    if (first === undefined && isNullWhenEmpty) return "null";
    if (many) return listText(written, path, positions, (position) => write(written, target, position));
    return first === undefined ? "null" : write(written, target, first);
  };
  if (!isNested(format)) return text;
  const [before, after] = count ? ['{"data":{"attributes":', "}}"] : ['{"data":', "}"];
  return (...place) => before + text(...place) + after;
};

const morphWriter = (member: MorphPlan, format: Format, path: string): WriteMember => {
  const { many, count } = member;
  const writers = new Map(
    [...member.groups.values()].map(({ target }) => [target, once(rowWriter(target, format, path))]),
  );
  return (written, set, row, value) => {
    const places = morphRows(set, member, value, row);
    if (count) return countText(places.length);
    const write = ({ set: target, position }: (typeof places)[number]): string =>
      writers.get(target.level)?.(written, target, position) ?? "null";
    const [first] = places;
    if (many) return listText(written, path, places, write);
    return first === undefined ? "null" : write(first);
  };
};

const componentWriter = (member: ComponentPlan, format: Format, path: string): WriteMember => {
  const { repeatable, count } = member;
  const write = entryWriter(member.level, format, new Heads(), path);
  return (written, set, row, value) => {
    const entries = componentEntries(member, value, row);
    if (count) return countText(entries.length);
    const [first] = entries;
    if (repeatable) return listText(written, path, entries, (entry) => write(written, set, row, entry));
    return first === undefined ? "null" : write(written, set, row, first);
  };
};

const zoneWriter = (member: ZonePlan, format: Format, path: string): WriteMember => {
  const writers = new Map(
    [...member.levels.values()].map((level) => {
      const heads = new Heads();
      const head = `${heads.next("__component")}${JSON.stringify(level.uid)}`;
      const write = entryWriter(level, format, heads, path);
      return [level, (...place: Parameters<WriteEntry>) => head + write(...place)];
    }),
  );
  return (written, set, row, value) => {
    const entries = zoneEntries(member, value, row);
    if (member.count) return countText(entries.length);
    return listText(
      written,
      path,
      entries,
      ({ level, entry }) => writers.get(level)?.(written, set, row, entry) ?? "null",
    );
  };
};

/** Writes only declared attributes; stored JSON may contain others. */
const entryWriter = (level: EntryLevel, format: Format, heads: Heads, path: string): WriteEntry => {
  const scalars = level.scalars.map(({ name, type }) => ({ head: heads.next(name), name, type }));
  const members = level.members.map((plan): WrittenMember => ({
    head: heads.next(plan.as),
    plan,
    write: memberWriter(plan, format, below(path, plan)),
  }));
  const tail = `${heads.end()}}`;
  return (written, set, row, entry) => {
    let text = "";
    for (const { head, name, type } of scalars) text += head + encodeEntry(type, entry[name]);
    for (const { head, plan, write } of members) text += head + write(written, set, row, entry[plan.name]);
    return text + tail;
  };
};
