/** Ordered lists, with concurrent insertions at the start, at the end, and next to other entries. */
import type { Area, Result, Session } from "./area.ts";
import { createLedger } from "./history.ts";
import { dig, documentIds } from "./json.ts";
import { orderModel, type OrderOperation } from "./models.ts";

const SHELVES = 3;
const GROUPS = 6;
const statuses = ["draft", "published"] as const;
type Status = (typeof statuses)[number];

const nameOf = (shelf: string, status: Status): string => `order of shelf ${shelf} (${status})`;

const create = async (session: Session, path: string): Promise<string> => {
  const body = JSON.stringify({ data: { name: "ordered" } });
  const { body: answer } = await session.ask(`POST ${path}`, { method: "POST", path, body });
  return String(dig(answer, "data", "documentId"));
};

const bodyOf = ({ kind, targets, at }: Pick<OrderOperation, "kind" | "targets" | "at">): object =>
  kind === "connect"
    ? { connect: targets.map((documentId) => ({ documentId, position: { [at ?? "end"]: true } })) }
    : { [kind]: targets };

export const createShelves = (): Area => {
  const ledger = createLedger<OrderOperation>({
    model: orderModel,
    isRead: ({ kind }) => kind === "read",
    resume: (history) =>
      (history.findLast(({ operation }) => operation.kind === "read")?.operation.targets ?? []).join(","),
  });
  const shelves: string[] = [];
  const groups: string[] = [];

  const record = (
    shelf: string,
    status: Status,
    operation: Omit<OrderOperation, "outcome">,
    { outcome, called, returned }: Result,
  ): void => {
    if (outcome !== "done" && (outcome !== "unknown" || operation.kind === "read")) return;
    const entry = { operation: { ...operation, outcome }, called };
    ledger.record(nameOf(shelf, status), { ...entry, returned: outcome === "unknown" ? undefined : returned });
  };

  const write = async (session: Session): Promise<void> => {
    const { random } = session;
    const shelf = random.pick(shelves);
    const operation = random.chance(0.15)
      ? { kind: "set" as const, targets: random.some(groups).reverse() }
      : random.chance(0.3)
        ? { kind: "disconnect" as const, targets: [random.pick(groups)] }
        : { kind: "connect" as const, targets: [random.pick(groups)], at: random.pick(["start", "end"] as const) };
    const body = JSON.stringify({ data: { groups: bodyOf(operation) } });
    const result = await session.ask("PUT shelf", { method: "PUT", path: `/api/shelves/${shelf}`, body });
    for (const status of statuses) record(shelf, status, operation, result);
  };

  const read = async (session: Session, shelf: string, status: Status): Promise<void> => {
    const path = `/api/shelves/${shelf}?status=${status}&populate=groups`;
    const result = await session.ask("GET shelf", { method: "GET", path });
    record(shelf, status, { kind: "read", targets: documentIds(dig(result.body, "data", "groups")) }, result);
  };

  return {
    async prepare(session) {
      for (let index = 0; index < GROUPS; index += 1) groups.push(await create(session, "/api/groups"));
      for (let index = 0; index < SHELVES; index += 1) {
        const shelf = await create(session, "/api/shelves");
        shelves.push(shelf);
        for (const status of statuses) ledger.open(nameOf(shelf, status), "");
      }
    },
    act: (session) =>
      session.random.chance(0.7)
        ? write(session)
        : read(session, session.random.pick(shelves), session.random.pick(statuses)),
    async readAll(session) {
      for (const shelf of shelves) for (const status of statuses) await read(session, shelf, status);
    },
    settle: ledger.settle,
  };
};
