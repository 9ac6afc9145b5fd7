/** The relations between items and groups as one writer after the other leaves them: links with numbers for their order. */
import { changed, type Change, isCircular, type Locale, type Operation, type State, type Write } from "./operations.ts";
import type { Variant } from "./world.ts";

export type Relation = "groups" | "team" | "badge";

export interface Link {
  readonly relation: Relation;
  readonly item: number;
  readonly state: State;
  readonly locale: Locale;
  readonly group: number;
  /** Its place in the item's list and in the group's. */
  readonly own: number;
  readonly place: number;
  /** The write that put it at the end of the group's list; undefined where it was given a place. */
  readonly appendedBy?: number | undefined;
  /** The last write that decided about its place. */
  readonly placedBy?: number | undefined;
}

export type Outcome = "done" | "nothing" | "refused";
type Type = "items" | "groups";

/** Ends of lists are behind everything that is set. */
const CLOCK = 1_000_000;

const versionKey = (type: Type, document: number, state: State, locale: Locale): string =>
  `${type} ${document} ${state} ${locale}`;

export class Model {
  readonly #variant: Variant;
  /** Which of two items with one place comes first: the one with the lower number here. */
  readonly #ranks: readonly number[];
  links: readonly Link[] = [];
  /** How many operations have been applied. */
  writes = 0;
  readonly versions: Set<string>;

  constructor(variant: Variant, ranks: readonly number[], versions: Iterable<string> = []) {
    this.#variant = variant;
    this.#ranks = ranks;
    this.versions = new Set(versions);
  }

  clone(): Model {
    const copy = new Model(this.#variant, this.#ranks, this.versions);
    copy.links = this.links;
    copy.writes = this.writes;
    return copy;
  }

  create(type: Type, document: number, locale: Locale): void {
    if (this.#hasDrafts(type)) this.versions.add(versionKey(type, document, "draft", locale));
    this.versions.add(versionKey(type, document, "published", locale));
  }

  has(type: Type, document: number, state: State, locale: Locale): boolean {
    return this.versions.has(versionKey(type, document, state, locale));
  }

  #hasDrafts(type: Type): boolean {
    return type === "items" ? this.#variant.itemDrafts : this.#variant.groupDrafts;
  }

  #isThere(type: Type, document: number): boolean {
    return [...this.versions].some((key) => key.startsWith(`${type} ${document} `));
  }

  apply(operation: Operation): Outcome {
    this.writes += 1;
    if (operation.kind === "write item" || operation.kind === "write group") return this.#write(operation);
    const { type, document } = operation;
    if (!this.#isThere(type, document)) {
      return operation.kind !== "delete" && !this.#hasDrafts(type) ? "refused" : "nothing";
    }
    if (operation.kind === "delete") {
      for (const key of this.versions) if (key.startsWith(`${type} ${document} `)) this.versions.delete(key);
      this.#keep((link) => (type === "items" ? link.item : link.group) !== document);
      return "done";
    }
    if (!this.#hasDrafts(type)) return "refused";
    const locale = this.#variant.localized ? operation.locale : "en";
    if (operation.kind === "publish") this.#publish(type, document, locale);
    else if (operation.kind === "unpublish") this.#unpublish(type, document, locale);
    else if (!this.has(type, document, "published", locale)) return "refused";
    else if (type === "items") this.#copy(document, locale, "published", "draft");
    return "done";
  }

  #keep(wanted: (link: Link) => boolean): void {
    this.links = this.links.filter(wanted);
  }

  #unpublish(type: Type, document: number, locale: Locale): void {
    this.versions.delete(versionKey(type, document, "published", locale));
    if (type === "groups") return;
    this.#keep((link) => link.item !== document || link.state !== "published" || link.locale !== locale);
  }

  #write(operation: Write): Outcome {
    const isItem = operation.kind === "write item";
    const type = isItem ? "items" : "groups";
    const { document } = operation;
    if (!this.#isThere(type, document)) return "nothing";
    const locale = this.#variant.localized ? operation.locale : "en";
    const named = Object.values(operation.data).flatMap((value) => namedBy(value));
    if (named.some((each) => !this.#isThere(isItem ? "groups" : "items", each))) return "refused";
    const before = this.links;
    const isDone = isItem
      ? this.#writeItem(document, locale, operation.data)
      : this.#writeGroup(document, locale, operation.data);
    if (!isDone) {
      this.links = before;
      return "refused";
    }
    if (this.#hasDrafts(type) && operation.state === "published") this.#publish(type, document, locale);
    return "done";
  }

  #of(relation: Relation, { item, group, states, locale }: Part): readonly Link[] {
    return this.links.filter(
      (link) =>
        link.relation === relation &&
        (item === undefined || link.item === item) &&
        (group === undefined || link.group === group) &&
        (states === undefined || states.includes(link.state)) &&
        (locale === undefined || link.locale === locale),
    );
  }

  #end(relation: Relation, group: number): number {
    return Math.max(CLOCK, ...this.#of(relation, { group }).map(({ place }) => place + 1));
  }

  #atEnd(relation: Relation, group: number): Place {
    return { place: this.#end(relation, group), appendedBy: this.writes, placedBy: this.writes };
  }

  #writeItem(item: number, locale: Locale, { groups, team, badge }: ItemData): boolean {
    const state = this.#hasDrafts("items") ? "draft" : "published";
    const part = { item, states: [state], locale } as const;
    if (groups) {
      const present = this.#of("groups", part).toSorted((a, b) => a.own - b.own);
      const before = present.map(({ group }) => group);
      const list = isCircular(groups, before) ? undefined : changed(before, groups);
      if (!list) return false;
      const next = list.map((group, index): Link => {
        const place = present.find((link) => link.group === group) ?? this.#atEnd("groups", group);
        return { ...placeOf(place), relation: "groups", item, state, locale, group, own: index + 1 };
      });
      this.links = [...this.links.filter((link) => !present.includes(link)), ...next];
    }
    if (team !== undefined) this.#lead("team", { item, state, locale }, team);
    if (badge !== undefined) {
      this.#lead("badge", { item, state, locale }, badge);
    }
    return true;
  }

  /** Makes a to-one relation lead to a group, or nowhere; a badge leaves whoever had it. */
  #lead(relation: "team" | "badge", { item, state, locale }: ItemVersion, group: number | null): void {
    const [present] = this.#of(relation, { item, states: [state], locale });
    if ((present?.group ?? null) === group) return;
    const end = group === null ? undefined : this.#atEnd(relation, group);
    this.#keep((link) => link !== present);
    if (group === null || end === undefined) return;
    this.#takeOver(relation, { item, state, locale }, group);
    this.links = [...this.links, { ...end, relation, item, state, locale, group, own: 0 }];
  }

  #takeOver(relation: Relation, { state, locale }: ItemVersion, group: number): void {
    if (relation !== "badge") return;
    const owners = this.#of("badge", { group, states: [state], locale });
    this.#keep((link) => !owners.includes(link));
  }

  /** Copies what an item leads to from one state to the other. */
  #copy(item: number, locale: Locale, from: State, to: State): void {
    const before = this.links;
    this.#keep((link) => link.item !== item || link.state !== to || link.locale !== locale);
    for (const link of before.filter((each) => each.item === item && each.state === from && each.locale === locale)) {
      const had = before.some(
        (each) =>
          each.item === item &&
          each.state === to &&
          each.locale === locale &&
          each.relation === "badge" &&
          each.group === link.group,
      );
      if (!had) this.#takeOver(link.relation, { item, state: to, locale }, link.group);
      this.links = [...this.links, { ...link, state: to }];
    }
  }

  #writeGroup(group: number, locale: Locale, { members, staff, holder }: GroupData): boolean {
    const lists = [
      ["groups", members],
      ["team", staff],
      ["badge", holder === undefined ? undefined : { set: holder === null ? [] : [holder] }],
    ] as const;
    return lists.every(([relation, change]) => !change || this.#changeList(relation, group, locale, change));
  }

  #changeList(relation: Relation, group: number, locale: Locale, change: Change): boolean {
    const states = this.#hasDrafts("items")
      ? this.#hasDrafts("groups")
        ? (["draft"] as const)
        : BOTH
      : (["published"] as const);
    const rank = ({ item }: Link): number => this.#ranks[item] ?? 0;
    const present = this.#of(relation, { group, states, locale }).toSorted(
      (a, b) => a.place - b.place || rank(a) - rank(b),
    );
    const before = [...new Set(present.map(({ item }) => item))];
    const list = isCircular(change, before) ? undefined : changed(before, change);
    if (!list) return false;
    const named = "set" in change ? change.set : change.connect.map(({ key }) => key);
    const isOrdered = "set" in change || change.connect.some(({ position }) => position !== undefined);
    this.#keep((link) => !present.includes(link) || list.includes(link.item));
    const end = this.#end(relation, group);
    for (const [index, item] of list.entries()) {
      const place = isOrdered
        ? { place: index + 1, placedBy: this.writes }
        : { place: end + index, appendedBy: this.writes, placedBy: this.writes };
      for (const state of states) {
        if (!this.has("items", item, state, locale)) continue;
        const [link] = this.#of(relation, { item, group, states: [state], locale });
        if (link) {
          if (isOrdered || named.includes(item)) {
            this.links = this.links.map((each) => (each === link ? { ...link, ...place } : each));
          }
        } else if (named.includes(item)) this.#add(relation, { item, state, locale }, group, place);
      }
    }
    return true;
  }

  #add(relation: Relation, { item, state, locale }: ItemVersion, group: number, place: Place): void {
    const own = Math.max(0, ...this.#of(relation, { item, states: [state], locale }).map((link) => link.own)) + 1;
    if (relation !== "groups") {
      this.#keep(
        (link) => link.relation !== relation || link.item !== item || link.state !== state || link.locale !== locale,
      );
    }
    this.links = [
      ...this.links,
      { ...place, relation, item, state, locale, group, own: relation === "groups" ? own : 0 },
    ];
  }

  #publish(type: Type, document: number, locale: Locale): void {
    this.versions.add(versionKey(type, document, "published", locale));
    if (type === "items") this.#copy(document, locale, "draft", "published");
    else if (this.#hasDrafts("items")) this.#publishLists(document, locale);
  }

  /** What is published leads to a group that is published where the drafts do. */
  #publishLists(group: number, locale: Locale): void {
    const leading = this.links.filter((link) => link.group === group && link.locale === locale);
    for (const link of leading.filter(({ state }) => state === "published")) {
      const draft = leading.find((each) => each.state === "draft" && isAlike(each, link));
      if (draft) this.links = this.links.map((each) => (each === link ? { ...link, place: draft.place } : each));
      else this.#keep((each) => each !== link);
    }
    for (const draft of leading.filter(({ state }) => state === "draft")) {
      const { relation, item } = draft;
      if (leading.some((each) => each.state === "published" && isAlike(each, draft))) continue;
      if (!this.has("items", item, "published", locale)) continue;
      if (relation !== "groups") {
        this.#keep(
          (each) =>
            each.relation !== relation || each.item !== item || each.state !== "published" || each.locale !== locale,
        );
      }
      this.links = [...this.links, { ...draft, state: "published" }];
    }
  }
}

type Place = Pick<Link, "place" | "appendedBy" | "placedBy">;

const placeOf = ({ place, appendedBy, placedBy }: Place): Place => ({ place, appendedBy, placedBy });

const BOTH = ["draft", "published"] as const;

interface ItemVersion {
  readonly item: number;
  readonly state: State;
  readonly locale: Locale;
}

interface Part {
  readonly item?: number;
  readonly group?: number;
  readonly states?: readonly State[];
  readonly locale?: Locale;
}

type ItemData = Extract<Write, { readonly kind: "write item" }>["data"];
type GroupData = Extract<Write, { readonly kind: "write group" }>["data"];

const isAlike = (one: Link, other: Link): boolean => one.relation === other.relation && one.item === other.item;

/** The documents that a value of a body names. */
const namedBy = (value: Change | number | null | undefined): readonly number[] => {
  if (value === null || value === undefined) return [];
  if (typeof value === "number") return [value];
  return "set" in value ? value.set : [...value.connect.map(({ key }) => key), ...value.disconnect];
};
