/**
 * Shares of the connections. What belongs to one client gets three of four connections at most, what reads one table half
 * of them, and the last free one is for reads of a table that has none: neither a client that sends expensive requests nor a table that
 * somebody has locked can stop all others, and a locked table not even the other requests of the same client.
 */
import { LRUCache } from "lru-cache";
import type { Client } from "../database.ts";

/** What a connection is used for. */
export interface Work {
  /** What a share belongs to: tables, what the client is known by, being a transaction. */
  keys(): readonly string[];
  /** The statement; undefined for a transaction. */
  readonly statement?: KnownStatement;
  /** The client that waits; undefined for work that must be done anyway. */
  readonly client?: Client | undefined;
  /** Fails it for those who wait, although the server goes on. */
  fail?: (error: unknown) => void;
}

/** How many of the connections may be used for the same at the same time. */
const shareOf = (connections: number): number =>
  connections < 2 ? connections : connections - Math.max(1, Math.floor(connections / 4));

/** What is known of statements with one text. */
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

/** The tables that a statement reads, as far as they are named in the way in which Drizzle names them. */
const tablesOf = (sql: string): readonly string[] => [
  ...new Set([...sql.matchAll(/\b(?:from|join) ("\w+")/g)].map(([, table = ""]) => table)),
];

const known = (sql: string): KnownStatement => {
  let found = statements.get(sql);
  if (!found) statements.set(sql, (found = { tables: tablesOf(sql), isQuick: false }));
  return found;
};

/** A statement as work. Its keys are determined when somebody needs them, which is when connections are scarce. */
export const workOf = (sql: string, client: Client | undefined): Work => {
  const statement = known(sql);
  let keys: readonly string[] | undefined;
  return {
    client,
    statement,
    keys: () => (keys ??= client?.keys ? [...statement.tables, ...client.keys] : statement.tables),
  };
};

/**
 * Whether a statement may be sent behind another without waiting for its answer: only behind the same one of the same
 * client, and if it is quick. Several statements in one packet cost both sides much less.
 */
export const mayFollow = ({ statement, client, keys }: Work, before: Work): boolean => {
  if (!statement?.isQuick || !client || statement !== before.statement || !before.client) return false;
  const others = before.keys();
  return keys().every((key, index) => key === others[index]);
};

/** The key of all transactions. */
export const TRANSACTION = "transaction";

const NONE: ReadonlySet<string> = new Set();

/** The keys whose share is used up. */
export const exhaustedKeys = (busy: readonly Work[], connections: number): ReadonlySet<string> => {
  const [share, half] = [shareOf(connections), Math.max(1, Math.floor(connections / 2))];
  if (busy.length < half) return NONE;
  const isLast = busy.length >= connections - 1;
  const mostOf = (key: string): number => {
    if (key.startsWith('"')) return isLast ? 1 : half;
    return isLast && key === TRANSACTION ? 1 : share;
  };
  const counts = new Map<string, number>();
  for (const work of busy) for (const key of work.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set([...counts].filter(([key, count]) => count >= mostOf(key)).map(([key]) => key));
};
