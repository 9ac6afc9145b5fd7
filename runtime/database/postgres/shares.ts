/**
 * Fair shares of the connections. Reads of one table get at most half of them, and transactions three quarters. The
 * last free one is for reads of a table that has none, so a locked table does not stop reads of others. One client gets
 * at most three quarters of the connections, and of each of these shares: whatever it sends, others are served.
 */
import { LRUCache } from "lru-cache";
import type { Client } from "../database.ts";

/** What a connection is used for. */
export interface Work {
  /** What shares belong to: tables, the client's identity, being a transaction. */
  keys(): readonly string[];
  /** The statement; undefined for a transaction. */
  readonly statement?: KnownStatement;
  /** The client that waits; undefined for work that must be done anyway. */
  readonly client?: Client | undefined;
  /** Rejects it for those who wait, although the server continues with it. */
  fail?: (error: unknown) => unknown;
}

/** How many of these connections one key may use at the same time. */
const shareOf = (connections: number): number =>
  connections < 2 ? connections : connections - Math.max(1, Math.floor(connections / 4));

/** What is known about statements with one text. */
export interface KnownStatement {
  readonly tables: readonly string[];
  /** Whether the last one was answered soon. */
  isQuick: boolean;
}

const statements = new LRUCache<string, KnownStatement>({
  max: 2000,
  maxSize: 2_000_000,
  sizeCalculation: (_known, sql) => sql.length + 1,
});

/** The tables that a statement reads, as far as it names them the way Drizzle does. */
const tablesOf = (sql: string): readonly string[] => [
  ...new Set([...sql.matchAll(/\b(?:from|join) ("\w+")/g)].map(([, table = ""]) => table)),
];

const known = (sql: string): KnownStatement => {
  let found = statements.get(sql);
  if (!found) statements.set(sql, (found = { tables: tablesOf(sql), isQuick: false }));
  return found;
};

/** The key of all transactions. */
const TRANSACTION = "transaction";
/** Separates a client from the resource that it has a share of. */
const OF = " of ";

/** Work on the given resources. Its keys are computed on demand, that is, when connections are scarce. */
const workOn = (resources: readonly string[], client: Client | undefined): Pick<Work, "client" | "keys"> => {
  let keys: readonly string[] | undefined;
  const all = () => ["", ...resources];
  return {
    client,
    keys: () =>
      (keys ??= [
        ...resources,
        ...(client?.keys ?? []).flatMap((key) => all().map((resource) => `${key}${OF}${resource}`)),
      ]),
  };
};

/** A statement as work. */
export const workOf = (sql: string, client: Client | undefined): Work => {
  const statement = known(sql);
  return { ...workOn(statement.tables, client), statement };
};

/** A transaction as work. */
export const transactionOf = (client: Client | undefined): Work => workOn([TRANSACTION], client);

/**
 * Whether a statement may be sent behind another without waiting for its answer: only behind the same one of the same
 * client, and if it is quick. Several statements in one packet cost both sides much less.
 */
export const mayFollow = ({ statement, client, keys }: Work, before: Work): boolean => {
  if (!statement?.isQuick || !client || statement !== before.statement || !before.client) return false;
  const others = before.keys();
  return keys().every((key, index) => key === others[index]);
};

const NONE: ReadonlySet<string> = new Set();

/** The keys whose share is used up. */
export const exhaustedKeys = (busy: readonly Work[], connections: number): ReadonlySet<string> => {
  const half = Math.max(1, Math.floor(connections / 2));
  if (busy.length < Math.min(half, shareOf(half))) return NONE;
  const isLast = busy.length >= connections - 1;
  const mostOf = (resource: string): number => {
    if (resource === "") return connections;
    return resource === TRANSACTION ? shareOf(connections) : half;
  };
  const counts = new Map<string, number>();
  for (const work of busy) for (const key of work.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isExhausted = ([key, count]: readonly [string, number]): boolean => {
    const end = key.lastIndexOf(OF);
    if (end >= 0) return count >= shareOf(mostOf(key.slice(end + OF.length)));
    return isLast || count >= mostOf(key);
  };
  return new Set([...counts].filter(isExhausted).map(([key]) => key));
};
