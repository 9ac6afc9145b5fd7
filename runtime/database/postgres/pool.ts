/**
 * The connection pool of one process. Single statements share connections, and are queued behind one another if none is
 * free. A transaction gets a connection to itself; transactions together get only a part of the pool, so that reads
 * always have connections. Work that waits too long fails. Failing to open a connection does not block the use of the
 * open ones.
 */
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Cancellable, Canceller } from "./cancel.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";

export interface PoolLimits {
  /** Most connections in the pool. */
  readonly max: number;
  /** Milliseconds that work waits for a connection before it fails. */
  readonly patience: number;
  /** Milliseconds without an answer after which a connection is dropped. */
  readonly silence: number;
  /** Milliseconds after which a connection is replaced. */
  readonly lifetime: number;
}

/** Most statements sent on one connection before their answers arrive, so that it never idles while there is work. */
const DEPTH = 8;
/** Milliseconds after which a statement counts as slow: no more statements are sent behind it. */
const SLOW = 100;
/** Milliseconds between checks for work that waits too long and connections that do not answer. */
const SWEEP = 250;
/** Milliseconds until the next attempt after a connection could not be opened; grows from `first` to `most`. */
const REST = { first: 50, most: 1000 };

interface PooledConnection extends Cancellable {
  isReserved: boolean;
  readonly retiresAt: number;
}

interface Waiter {
  readonly until: number;
  take(member: PooledConnection): void;
  fail(error: unknown): void;
}

const NOT_AVAILABLE = "The database is not available";

/** A connection for exclusive use. */
export interface Lease {
  readonly connection: Connection;
  release(): void;
}

/** How many of the connections transactions may use at the same time. */
const shareOfTransactions = (connections: number): number =>
  connections < 2 ? connections : connections - Math.max(1, Math.floor(connections / 4));

export type Pool = ReturnType<typeof createPool>;

/** @param open opens a connection */
export const createPool = (
  open: (events: ConnectionEvents) => Promise<Connection>,
  canceller: Canceller,
  limits: PoolLimits,
) => {
  const members = new Set<PooledConnection>();
  const readers: Waiter[] = [];
  const writers: Waiter[] = [];
  let opening = 0;
  let reserved = 0;
  let failures = 0;
  let restsUntil = 0;
  let lastFailure: unknown;
  let isClosed = false;

  const mayGrow = (): boolean => !isClosed && members.size + opening < limits.max && performance.now() >= restsUntil;

  /** Whether to open another connection: only as many are opened at a time as there is work waiting. */
  const isWanted = (): boolean => opening <= readers.length + writers.length && mayGrow();

  const add = (connection: Connection): void => {
    // Connections get different lifetimes, so that they are not all replaced at once.
    const retiresAt = performance.now() + limits.lifetime * (0.5 + Math.random() / 2);
    members.add({ connection, isReserved: false, isRetired: false, isCancelling: false, retiresAt });
  };

  const openOne = (): Promise<Connection> => open({ onAnswer: serve, onLost: sweepLost });

  const grow = async (): Promise<void> => {
    opening += 1;
    try {
      const connection = await openOne();
      if (isClosed) await connection.close();
      else add(connection);
      failures = 0;
    } catch (error) {
      failures += 1;
      lastFailure = error;
      restsUntil = performance.now() + Math.min(REST.first * 2 ** failures, REST.most);
      if (members.size === 0 && opening === 1) failAll(error);
    } finally {
      opening -= 1;
      serve();
    }
  };

  const failAll = (error: unknown): void => {
    for (const waiter of [...readers.splice(0), ...writers.splice(0)]) waiter.fail(error);
  };

  /** The connection with the fewest statements, without those that run a slow one. */
  const best = (): PooledConnection | undefined => {
    let found: PooledConnection | undefined;
    for (const member of members) {
      const { connection, isReserved, isRetired, isCancelling } = member;
      if (isReserved || isRetired || isCancelling || connection.isLost) continue;
      if (connection.waiting === 0) return member;
      const isLess = found === undefined || connection.waiting < found.connection.waiting;
      if (isLess && connection.waiting < DEPTH && connection.stuckFor() < SLOW) found = member;
    }
    if (isWanted()) void grow();
    return found;
  };

  const hasShareLeft = (): boolean =>
    reserved < shareOfTransactions(opening > 0 || mayGrow() ? limits.max : members.size);

  /**
   * A connection to use now. If another is being opened, only a free one, since waiting for the new one is better than
   * queueing behind other statements.
   */
  const now = (queue: readonly Waiter[]): PooledConnection | undefined => {
    const member = best();
    return member === undefined || member.connection.waiting === 0 || queue.length >= opening ? member : undefined;
  };

  /** Assigns connections to waiting work. */
  const serve = (): void => {
    for (let member; writers.length > 0 && hasShareLeft() && (member = best());) writers.shift()?.take(member);
    for (let member; readers.length > 0 && (member = best());) readers.shift()?.take(member);
  };

  const retire = (member: PooledConnection): void => {
    member.isRetired = true;
    if (member.isReserved || member.isCancelling || member.connection.waiting > 0) return;
    members.delete(member);
    void member.connection.close();
  };

  const sweepLost = (): void => {
    for (const member of members) if (member.connection.isLost) members.delete(member);
    serve();
  };

  /**
   * Connections whose running statement nobody waits for, and on which only statements are queued that may run again.
   */
  const abandoned = (): readonly PooledConnection[] =>
    [...members].filter(
      ({ connection, isReserved }) => !isReserved && connection.stuckFor() > SLOW && connection.isAbandoned,
    );

  const expire = (queue: Waiter[], time: number): void => {
    while (queue[0] && queue[0].until <= time) queue.shift()?.fail(new ServiceUnavailableError("The database is busy"));
  };

  const sweep = setInterval(() => {
    const time = performance.now();
    for (const member of members) {
      if (member.connection.stuckFor() > limits.silence) member.connection.drop("The database does not answer");
      else if (member.isRetired || member.retiresAt <= time) retire(member);
    }
    sweepLost();
    void canceller.end(abandoned).then(serve);
    expire(readers, time);
    expire(writers, time);
  }, SWEEP).unref();

  const wait = (queue: Waiter[], take: (member: PooledConnection) => void, fail: (error: unknown) => void): void => {
    if (members.size + opening === 0) fail(lastFailure ?? new ServiceUnavailableError(NOT_AVAILABLE));
    else queue.push({ until: performance.now() + limits.patience, take, fail });
  };

  const reserve = (member: PooledConnection): Lease => {
    reserved += 1;
    member.isReserved = true;
    return {
      connection: member.connection,
      release() {
        reserved -= 1;
        member.isReserved = false;
        if (member.connection.isLost) members.delete(member);
        else if (member.isRetired) retire(member);
        serve();
      },
    };
  };

  return {
    /** Opens the first connection; rejects when that fails. */
    async start(): Promise<void> {
      add(await openOne());
    },
    /** Runs single statements on a connection that others use at the same time. */
    shared<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
      const member = now(readers);
      if (member) return use(member.connection);
      return new Promise((resolve, reject) => {
        wait(readers, ({ connection }) => resolve(use(connection)), reject);
      });
    },
    /** A connection for exclusive use until it is released. */
    lease(): Promise<Lease> {
      const member = hasShareLeft() ? now(writers) : undefined;
      if (member) return Promise.resolve(reserve(member));
      return new Promise((resolve, reject) => {
        wait(writers, (given) => resolve(reserve(given)), reject);
      });
    },
    /** Whether a condition holds for one of the connections. */
    some: (condition: (connection: Connection) => boolean): boolean =>
      [...members].some(({ connection }) => condition(connection)),
    /** Waits some seconds for running statements, then closes all connections. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(sweep);
      failAll(new ServiceUnavailableError("The database has been closed"));
      await Promise.all([...members].map(({ connection }) => connection.close()));
    },
  };
};
