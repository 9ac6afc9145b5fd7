/** Writes populated attributes: relations, media, components and dynamic zones. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import { listOf, typedKeys } from "../execute/collect.ts";
import type { LevelRead } from "../execute/level-read.ts";
import type { EntryLevel, MemberPlan } from "../plan/plan.ts";
import type { Window } from "../query.ts";
import { encodeEntry } from "./encode.ts";
import { listText } from "./item.ts";

/** `"author":{…}`, from what stands in the row or under the name in a component. */
export const memberText = (read: LevelRead, member: MemberPlan, value: unknown, row: Row): string =>
  member.prefix + valueText(read, member, value, row);

const valueText = (read: LevelRead, member: MemberPlan, value: unknown, row: Row): string => {
  switch (member.kind) {
    case "lookup": {
      const group = read.groups[member.group];
      const positions = group?.positions(listOf(value), localeOf(read, row)) ?? [];
      return related(read.run.nested, member, positions, (position) => group?.text(position) ?? "null");
    }
    case "join": {
      const join = read.joins[member.join];
      const positions = join?.of(read, row) ?? [];
      return related(read.run.nested, member, positions, (position) => join?.text(position) ?? "null");
    }
    case "morph":
      return morphText(read, member, value, row);
    case "component":
      return componentText(read, member, value, row);
    case "zone":
      return zoneText(read, member, value, row);
  }
};

const localeOf = (read: LevelRead, row: Row): string => read.localeOf(row) ?? read.run.bindings.defaultLocale;

interface Plural {
  readonly many: boolean;
  readonly count: boolean;
  readonly window: Window | undefined;
}

const windowed = <Item>(items: readonly Item[], window: Window | undefined): readonly Item[] =>
  window === undefined ? items : items.slice(window.start, window.start + window.limit);

const related = <Item>(
  nested: boolean,
  { many, count, window }: Plural,
  items: readonly Item[],
  text: (item: Item) => string,
): string => {
  const shown = many ? windowed(items, window) : items.slice(0, 1);
  if (count) return nested ? `{"data":{"attributes":${countText(shown.length)}}}` : countText(shown.length);
  const [first] = shown;
  const written = many ? listText(shown, text) : first === undefined ? "null" : text(first);
  return nested ? `{"data":${written}}` : written;
};

const countText = (count: number): string => `{"count":${count}}`;

type Of<Kind extends MemberPlan["kind"]> = Extract<MemberPlan, { readonly kind: Kind }>;

/** The nested format ends at relations to any type: they and all below are flat. */
const morphText = (read: LevelRead, member: Of<"morph">, value: unknown, row: Row): string => {
  const locale = localeOf(read, row);
  const texts = typedKeys(read, member, value, row).flatMap(({ type, documentId }) => {
    const index = member.groups.get(type);
    const group = index === undefined ? undefined : read.groups[index];
    return group?.positions([documentId], locale).map((position) => group.text(position)) ?? [];
  });
  return related(false, member, texts, (text) => text);
};

const componentText = (read: LevelRead, member: Of<"component">, value: unknown, row: Row): string => {
  const entries = windowed(chosen(listOf(value).filter(isRecord), member.chosenIndex, row), member.window);
  if (member.count) return countText(entries.length);
  const write = (entry: Entry): string => entryText(read, member.level, entry, row);
  if (member.repeatable) return listText(entries, write);
  const [first] = entries;
  return first === undefined ? "null" : write(first);
};

type Entry = Readonly<Record<string, unknown>>;

/** The entries that the database chose, in its order. */
const chosen = (entries: readonly Entry[], index: number | undefined, row: Row): readonly Entry[] => {
  if (index === undefined) return entries;
  const listed: unknown = JSON.parse(String(row[index] ?? "[]"));
  const ranks = new Map(listOf(listed).map((id, rank) => [id, rank]));
  const rank = (entry: Entry): number => ranks.get(entry["id"]) ?? -1;
  return entries.filter((entry) => rank(entry) >= 0).toSorted((left, right) => rank(left) - rank(right));
};

const zoneText = (read: LevelRead, member: Of<"zone">, value: unknown, row: Row): string => {
  const texts = listOf(value)
    .filter(isRecord)
    .flatMap((entry) => {
      const uid = String(entry["__component"]);
      const level = member.levels.get(uid);
      const shown = level === undefined ? [] : chosen([entry], level.chosenIndex, row);
      const head = `"__component":${JSON.stringify(uid)}`;
      return level === undefined || shown.length === 0 ? [] : [entryText(read, level, entry, row, head)];
    });
  return member.count ? countText(texts.length) : listText(texts, (text) => text);
};

/** Only declared attributes are written, whatever the stored JSON holds. */
const entryText = (read: LevelRead, level: EntryLevel, entry: Entry, row: Row, head = ""): string => {
  let text = head;
  for (const { name, prefix, type } of level.scalars) {
    text += (text === "" ? "" : ",") + prefix + encodeEntry(type, entry[name]);
  }
  for (const member of level.members) {
    text += (text === "" ? "" : ",") + memberText(read, member, entry[member.name], row);
  }
  return `{${text}}`;
};
