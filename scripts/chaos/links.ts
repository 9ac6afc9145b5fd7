/** Relations written from both sides at once: which documents are linked, in drafts and in published versions. */
import type { Area, Result, Session } from "./area.ts";
import { createLedger } from "./history.ts";
import { dig, text } from "./json.ts";
import { type LinkOperation, linkState, manyModel, oneModel } from "./models.ts";
import { addWrong, type Tally } from "./tally.ts";

const ITEMS = 8;
const GROUPS = 4;
const statuses = ["draft", "published"] as const;
type Status = (typeof statuses)[number];

/** A relation: its name on the items, which store it, and on the groups. */
const relations = [
  { own: "groups", inverse: "members", single: false },
  { own: "owner", inverse: "owned", single: true },
] as const;
type Relation = (typeof relations)[number];

/** The documents that an answer shows in a relation; undefined if it does not show the relation. */
const idsOf = (value: unknown): string[] | undefined => {
  if (value === undefined) return undefined;
  const documents = Array.isArray(value) ? value : value === null ? [] : [value];
  return documents.map((each) => String(dig(each, "documentId")));
};

/** What a change of a relation means for each named document. */
interface Change {
  readonly kind: "connect" | "disconnect" | "set";
  readonly named: readonly string[];
}

const bodyOf = ({ kind, named }: Change): object => ({ [kind]: named.map((documentId) => ({ documentId })) });

const nameOf = (item: string, { own }: Relation, status: Status): string => `${own} of item ${item} (${status})`;

const create = async (session: Session, path: string, name: string): Promise<string> => {
  const body = JSON.stringify({ data: { name } });
  const { body: answer } = await session.ask(`POST ${path}`, { method: "POST", path, body });
  return String(dig(answer, "data", "documentId"));
};

const isRead = ({ kind }: LinkOperation): boolean => kind === "read" || kind === "readOne";

/** The state at the last read from the side that stores the links. */
const resume = (history: readonly { readonly operation: LinkOperation }[]): string =>
  linkState(history.findLast(({ operation }) => operation.kind === "read")?.operation.targets ?? []);

export const createLinks = (tally: () => Tally): Area => {
  const many = createLedger({ model: manyModel, isRead, resume });
  const one = createLedger({ model: oneModel, isRead, resume });
  const items: string[] = [];
  const groups: string[] = [];

  const ledgerOf = ({ single }: Relation) => (single ? one : many);

  const record = (
    item: string,
    relation: Relation,
    status: Status,
    operation: Omit<LinkOperation, "outcome">,
    result: Result,
  ): void => {
    if (result.outcome !== "done" && result.outcome !== "unknown") return;
    if (result.outcome === "unknown" && isRead({ ...operation, outcome: "unknown" })) return;
    ledgerOf(relation).record(nameOf(item, relation, status), {
      operation: { ...operation, outcome: result.outcome },
      called: result.called,
      returned: result.outcome === "unknown" ? undefined : result.returned,
    });
  };

  /** The relation in an answer. An acknowledged answer without it is an error, rather than empty. */
  const shown = ({ outcome, body }: Result, what: string, relation: string): readonly string[] | undefined => {
    if (outcome !== "done") return undefined;
    const ids = idsOf(dig(body, "data", relation));
    if (!ids) addWrong(tally(), `${what} without ${relation}: ${text(body).slice(0, 300)}`);
    return ids;
  };

  /** An item names groups. Changes to an item are published with it. */
  const writeItem = async (session: Session): Promise<void> => {
    const { random } = session;
    const item = random.pick(items);
    const relation = random.pick(relations);
    const change: Change = relation.single
      ? { kind: "set", named: random.chance(0.2) ? [] : [random.pick(groups)] }
      : { kind: random.pick(["connect", "disconnect", "set"]), named: random.some(groups) };
    const body = JSON.stringify({ data: { [relation.own]: bodyOf(change) } });
    const result = await session.ask(`PUT item ${relation.own}`, { method: "PUT", path: `/api/items/${item}`, body });
    for (const status of statuses) record(item, relation, status, { kind: change.kind, targets: change.named }, result);
  };

  /** A group names items: for each of them, that changes its own list. */
  const writeGroup = async (session: Session): Promise<void> => {
    const { random } = session;
    const group = random.pick(groups);
    const relation = random.pick(relations);
    const change: Change = {
      kind: random.chance(0.15) ? "set" : random.pick(["connect", "disconnect"]),
      named: random.some(items),
    };
    const body = JSON.stringify({ data: { [relation.inverse]: bodyOf(change) } });
    const what = `PUT group ${relation.inverse}`;
    const result = await session.ask(what, { method: "PUT", path: `/api/groups/${group}`, body });
    for (const item of items) {
      const isNamed = change.named.includes(item);
      if (!isNamed && change.kind !== "set") continue;
      const kind = isNamed && change.kind !== "disconnect" ? "connect" : "disconnect";
      for (const status of statuses) record(item, relation, status, { kind, targets: [group] }, result);
    }
  };

  const readItem = async (session: Session, item: string, status: Status): Promise<void> => {
    const path = `/api/items/${item}?status=${status}&populate=*`;
    const result = await session.ask("GET item", { method: "GET", path });
    for (const relation of relations) {
      const targets = shown(result, "GET item", relation.own);
      if (!targets) continue;
      record(item, relation, status, { kind: "read", targets }, result);
    }
  };

  const readGroup = async (session: Session, group: string): Promise<void> => {
    const path = `/api/groups/${group}?populate=*`;
    const result = await session.ask("GET group", { method: "GET", path });
    for (const relation of relations) {
      const linked = shown(result, "GET group", relation.inverse);
      if (!linked) continue;
      for (const item of items) {
        const operation = { kind: "readOne", targets: [group], linked: linked.includes(item) } as const;
        record(item, relation, "published", operation, result);
      }
    }
  };

  return {
    async prepare(session) {
      for (let index = 0; index < GROUPS; index += 1) groups.push(await create(session, "/api/groups", `g${index}`));
      for (let index = 0; index < ITEMS; index += 1) items.push(await create(session, "/api/items", `i${index}`));
      for (const item of items)
        for (const relation of relations)
          for (const status of statuses) ledgerOf(relation).open(nameOf(item, relation, status), "");
    },
    async act(session) {
      const { random } = session;
      const choice = random.below(100);
      if (choice < 40) return writeItem(session);
      if (choice < 75) return writeGroup(session);
      if (choice < 90) return readItem(session, random.pick(items), random.pick(statuses));
      return readGroup(session, random.pick(groups));
    },
    async readAll(session) {
      for (const item of items) for (const status of statuses) await readItem(session, item, status);
      for (const group of groups) await readGroup(session, group);
    },
    settle() {
      const verdicts = [many.settle(), one.settle()];
      return {
        contradictions: verdicts.flatMap(({ contradictions }) => contradictions),
        undecided: verdicts.reduce((sum, { undecided }) => sum + undecided, 0),
      };
    },
  };
};
