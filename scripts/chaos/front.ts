/** A single type: the contents of its one document, with lists in order, and relations in components. */
import type { Area, Result, Session } from "./area.ts";
import { dig, documentIds, list } from "./json.ts";
import { type VersionOperation, versionState } from "./models.ts";
import { createRandom } from "./random.ts";
import { addWrong, type Tally } from "./tally.ts";
import { createVersionLedger } from "./versions.ts";

const GROUPS = 5;
const PATH = "/api/front";
const POPULATE = "populate[groups]=true&populate[picks][populate]=groups";
const NAME = "the front page";

/** Reads each part's values in order: this reveals a version that mixes two writes. */
const partsOf = (groups: readonly string[], value: string): { groups: string[]; picks: string[][] } => {
  const random = createRandom(Number(value.slice(1)));
  const some = () =>
    random
      .some(groups)
      .map((group) => ({ group, order: random.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ group }) => group);
  return { groups: some(), picks: [some(), some()] };
};

export const createFront = (tally: () => Tally): Area => {
  const ledger = createVersionLedger();
  const groups: string[] = [];
  let values = 0;

  const dataOf = (value: string): object => {
    const parts = partsOf(groups, value);
    return {
      title: value,
      groups: { set: parts.groups },
      picks: parts.picks.map((each) => ({ text: value, groups: { set: each } })),
    };
  };

  /** The contents of an answer. During writes, only writers see lists of one moment. */
  const shown = ({ outcome, body }: Result, isWhole = true): Pick<VersionOperation, "seen"> => {
    if (outcome !== "done") return {};
    const version = dig(body, "data");
    const value = String(dig(version, "title"));
    const picks = list(dig(version, "picks"));
    const parts = {
      groups: documentIds(dig(version, "groups")),
      picks: picks.map((each) => documentIds(dig(each, "groups"))),
    };
    const isTorn =
      picks.length !== 2 ||
      picks.some((each) => dig(each, "text") !== value) ||
      (isWhole && JSON.stringify(parts) !== JSON.stringify(partsOf(groups, value)));
    if (isTorn) addWrong(tally(), `a torn front page: ${JSON.stringify(version)}`);
    return { seen: value };
  };

  const record = (operation: Omit<VersionOperation, "outcome">, result: Result): void =>
    ledger.record(NAME, operation, result);

  const write = async (session: Session): Promise<void> => {
    const value = `v${(values += 1)}`;
    const saves = session.random.chance(0.3);
    const path = `${PATH}?${POPULATE}${saves ? "&status=draft" : ""}`;
    const body = JSON.stringify({ data: dataOf(value) });
    const result = await session.ask("PUT front", { method: "PUT", path, body });
    record({ kind: saves ? "save" : "put", value, creates: true, ...shown(result) }, result);
  };

  const read = async (session: Session, kind: "readDraft" | "readPublished", isWhole: boolean): Promise<void> => {
    const path = `${PATH}?${POPULATE}&status=${kind === "readDraft" ? "draft" : "published"}`;
    const result = await session.ask("GET front", { method: "GET", path });
    record({ kind, ...(result.outcome === "done" ? shown(result, isWhole) : { seen: null }) }, result);
  };

  const change = async (session: Session, kind: "publish" | "unpublish" | "discard"): Promise<void> => {
    // Discarding a draft that was never published is a 400.
    const refusals = kind === "discard" ? [400, 404] : [404];
    const action = kind === "discard" ? "discard-draft" : kind;
    const path = `${PATH}/actions/${action}?${POPULATE}`;
    const result = await session.ask(`POST front ${action}`, { method: "POST", path, body: "{}" }, refusals);
    record({ kind, ...shown(result) }, result);
  };

  return {
    async prepare(session) {
      for (let index = 0; index < GROUPS; index += 1) {
        const body = JSON.stringify({ data: { name: `f${index}` } });
        const { body: answer } = await session.ask("POST group", { method: "POST", path: "/api/groups", body });
        groups.push(String(dig(answer, "data", "documentId")));
      }
      ledger.open(NAME, versionState(null, null));
    },
    async act(session) {
      const { random } = session;
      const choice = random.below(100);
      if (choice < 45) return write(session);
      if (choice < 75) return read(session, random.pick(["readDraft", "readPublished"]), false);
      if (choice < 97) return change(session, random.pick(["publish", "unpublish", "discard"]));
      const result = await session.ask("DELETE front", { method: "DELETE", path: PATH });
      record({ kind: "delete" }, result);
    },
    async readAll(session) {
      for (const kind of ["readDraft", "readPublished"] as const) await read(session, kind, true);
    },
    settle: ledger.settle,
  };
};
