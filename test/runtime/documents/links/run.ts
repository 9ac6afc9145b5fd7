/** Runs operations at once, and finds an order in which one after the other they lead to the same. */
import { expect } from "vitest";
import { HttpError } from "../../../../runtime/base/errors.ts";
import { idOf } from "../../../support/document-id.ts";
import { type Link, Model, type Outcome, type Relation } from "./model.ts";
import { type Change, DOCUMENTS, type Locale, type Operation } from "./operations.ts";
import type { LinkWorld, Variant } from "./world.ts";

type Type = "items" | "groups";
type Ids = Readonly<Record<Type, readonly string[]>>;

const localesOf = ({ localized }: Variant): readonly Locale[] => (localized ? ["en", "fr"] : ["en"]);

/** Links and versions as the tables have them, with documents by number. */
interface Stored {
  readonly links: readonly Link[];
  readonly versions: readonly string[];
}

export class Run {
  readonly #world: LinkWorld;
  readonly #variant: Variant;
  readonly #ids: Ids;
  #model: Model;

  private constructor(world: LinkWorld, variant: Variant, ids: Ids, model: Model) {
    this.#world = world;
    this.#variant = variant;
    this.#ids = ids;
    this.#model = model;
  }

  /** With new documents, published in every locale. */
  static async begin(world: LinkWorld, variant: Variant): Promise<Run> {
    const create = async (type: Type): Promise<string[]> => {
      const ids: string[] = [];
      while (ids.length < DOCUMENTS.length) {
        const documentId = idOf(await world[type].create({ data: {} }));
        for (const locale of localesOf(variant)) {
          if (locale !== "en") await world[type].update(documentId, { data: {}, locale });
        }
        ids.push(documentId);
      }
      return ids;
    };
    const ids = { items: await create("items"), groups: await create("groups") };
    const sorted = ids.items.toSorted();
    const model = new Model(
      variant,
      ids.items.map((id) => sorted.indexOf(id)),
    );
    for (const type of ["items", "groups"] as const) {
      for (const document of DOCUMENTS) for (const locale of localesOf(variant)) model.create(type, document, locale);
    }
    return new Run(world, variant, ids, model);
  }

  /** Sends operations at once, and holds what they leave against every order of them. */
  async wave(operations: readonly Operation[]): Promise<void> {
    const outcomes = await Promise.all(operations.map((each) => this.#send(each)));
    const stored = await this.#read();
    const done = operations.map((operation, index) => ({ operation, outcome: outcomes[index] }));
    const found = [...ordersOf(done)].flatMap((order) => {
      const model = this.#model.clone();
      const fits = order.every(({ operation, outcome }) => model.apply(operation) === outcome);
      return fits && isSame(model, stored, this.#ids, this.#model.writes) ? [model] : [];
    })[0];
    if (!found) expect.fail(`no order of these explains what is stored:\n${JSON.stringify({ done, stored }, null, 1)}`);
    this.#model = found;
    this.#adoptPlaces(stored);
  }

  /** Several orders may lead to the same lists with other numbers: later operations start from those that are stored. */
  #adoptPlaces({ links }: Stored): void {
    const found = new Map(links.map((link) => [keyOf(link), link]));
    this.#model.links = this.#model.links.map((link) => ({ ...link, ...found.get(keyOf(link)) }));
  }

  async #send(operation: Operation): Promise<Outcome> {
    try {
      const answer = await this.#perform(operation);
      return answer === null || answer === false ? "nothing" : "done";
    } catch (error) {
      if (error instanceof HttpError && error.status === 400) return "refused";
      throw error;
    }
  }

  #perform(operation: Operation): Promise<unknown> {
    const locale = this.#variant.localized && "locale" in operation ? { locale: operation.locale } : {};
    if (operation.kind === "write item") {
      const { groups, team, badge } = operation.data;
      const data = {
        ...this.#list("groups", { groups }),
        ...this.#one("groups", { team, badge }),
      };
      return this.#world.items.update(this.#id("items", operation.document), {
        data,
        status: operation.state,
        ...locale,
      });
    }
    if (operation.kind === "write group") {
      const { members, staff, holder } = operation.data;
      const data = { ...this.#list("items", { members, staff }), ...this.#one("items", { holder }) };
      return this.#world.groups.update(this.#id("groups", operation.document), {
        data,
        status: operation.state,
        ...locale,
      });
    }
    const service = this.#world[operation.type];
    const documentId = this.#id(operation.type, operation.document);
    switch (operation.kind) {
      case "publish":
        return service.publish(documentId, locale);
      case "unpublish":
        return service.unpublish(documentId, locale);
      case "discard":
        return service.discardDraft(documentId, locale);
      case "delete":
        return service.delete(documentId, { locale: "*" });
    }
  }

  #id(type: Type, document: number): string {
    return this.#ids[type][document] ?? "";
  }

  #list(type: Type, changes: Readonly<Record<string, Change | undefined>>): Record<string, unknown> {
    const id = (document: number) => this.#id(type, document);
    const bodyOf = (change: Change): object => {
      if ("set" in change) return { set: change.set.map(id) };
      const connect = change.connect.map(({ key, position }) => ({
        documentId: id(key),
        ...(position ? { position: "start" in position ? position : mapped(position, id) } : {}),
      }));
      return { connect, disconnect: change.disconnect.map(id) };
    };
    return Object.fromEntries(
      Object.entries(changes).flatMap(([name, change]) => (change ? [[name, bodyOf(change)]] : [])),
    );
  }

  #one(type: Type, changes: Readonly<Record<string, number | null | undefined>>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(changes).flatMap(([name, document]) =>
        document === undefined ? [] : [[name, document === null ? null : this.#id(type, document)]],
      ),
    );
  }

  async #read(): Promise<Stored> {
    const { database } = this.#world;
    const { itemDrafts, groupDrafts, localized } = this.#variant;
    const locale = localized ? "locale" : "'en'";
    const items = `select id, document_id, ${stateSql(itemDrafts)} as state, ${locale} as locale, team_document_id, team_position, badge_document_id from items where document_id = any($1::text[])`;
    const links = `select 'groups', items.document_id, state, locale, link.document_id, link.position, link.inverse_position
        from (${items}) items join items_groups link on link.version_id = items.id
      union all select 'team', document_id, state, locale, team_document_id, 0, team_position from (${items}) items where team_document_id is not null
      union all select 'badge', document_id, state, locale, badge_document_id, 0, 0 from (${items}) items where badge_document_id is not null`;
    const versions = `select 'items', document_id, state, locale from (${items}) items union all
      select 'groups', document_id, ${stateSql(groupDrafts)}, ${locale} from groups where document_id = any($2::text[])`;
    const [linkRows, versionRows] = await Promise.all([
      database.rows(links, [this.#ids.items]),
      database.rows(versions, [this.#ids.items, this.#ids.groups]),
    ]);
    const { items: itemIds, groups: groupIds } = this.#ids;
    return {
      links: linkRows.map(([relation, item, of, code, group, own, place]) => ({
        relation: relationOf(relation),
        item: itemIds.indexOf(String(item)),
        state: of === "draft" ? "draft" : "published",
        locale: code === "fr" ? "fr" : "en",
        group: groupIds.indexOf(String(group)),
        own: Number(own),
        place: Number(place),
      })),
      versions: versionRows.map(([type, documentId, of, code]) => {
        const ids = type === "items" ? itemIds : groupIds;
        return `${String(type)} ${ids.indexOf(String(documentId))} ${String(of)} ${String(code)}`;
      }),
    };
  }
}

const relationOf = (name: unknown): Relation => (name === "groups" || name === "team" ? name : "badge");

const stateSql = (hasDrafts: boolean): string =>
  hasDrafts ? "case when published_at is null then 'draft' else 'published' end" : "'published'";

const mapped = (position: { readonly before: number } | { readonly after: number }, id: (document: number) => string) =>
  "before" in position ? { before: id(position.before) } : { after: id(position.after) };

const ordersOf = function* <Value>(values: readonly Value[]): Generator<readonly Value[]> {
  if (values.length === 0) yield [];
  for (const [index, value] of values.entries()) {
    for (const rest of ordersOf(values.toSpliced(index, 1))) yield [value, ...rest];
  }
};

const keyOf = ({ relation, item, state, locale, group }: Link): string =>
  [relation, item, state, locale, group].join(" ");

/** Whether one was put at the end of a list while another write decided about the place of the other. */
const meets = ({ appendedBy = 0 }: Link, { placedBy = 0 }: Link, writes: number): boolean =>
  appendedBy > writes && placedBy > writes && appendedBy !== placedBy;

/**
 * Whether the tables hold what the model does: the same versions, the same links, and every list in the same order.
 * Where writers that ran at once, after the first `writes`, met at the end of a list, their order is open.
 */
const isSame = (model: Model, stored: Stored, ids: Ids, writes: number): boolean => {
  if (String([...model.versions].toSorted()) !== String(stored.versions.toSorted())) return false;
  const wanted = new Map(model.links.map((link) => [keyOf(link), link]));
  if (wanted.size !== stored.links.length || !stored.links.every((link) => wanted.has(keyOf(link)))) return false;
  // Equal places are told apart by documentId.
  const bySide = [
    {
      list: ({ relation, item, state, locale }: Link) => [relation, item, state, locale].join(" "),
      number: ({ own }: Link) => own,
      id: ({ group }: Link) => ids.groups[group] ?? "",
      isLoose: () => false,
    },
    {
      list: ({ relation, group, state, locale }: Link) => [relation, group, state, locale].join(" "),
      number: ({ place }: Link) => place,
      id: ({ item }: Link) => ids.items[item] ?? "",
      isLoose: (one: Link, other: Link) => meets(one, other, writes) || meets(other, one, writes),
    },
  ];
  return bySide.every(({ list, number, id, isLoose }) =>
    stored.links.every((one) =>
      stored.links.every((other) => {
        if (list(one) !== list(other) || one === other) return true;
        const isBefore = number(one) < number(other) || (number(one) === number(other) && id(one) < id(other));
        const [first, second] = [one, other].map((link) => wanted.get(keyOf(link)));
        return !isBefore || !first || !second || isLoose(first, second) || number(first) <= number(second);
      }),
    ),
  );
};
