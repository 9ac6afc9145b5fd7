/**
 * The connections of one process. Single statements share connections, one behind another where none is free;
 * transactions have one to themselves, and leave a share of them to reading. What waits too long gives up, and
 * connections that cannot be opened keep nobody from using those that are there.
 */
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Cancellable, Canceller } from "./postgres-cancel.ts";
import type { Connection, ConnectionEvents } from "./postgres-connection.ts";

export interface PoolLimits {
  /** Most connections. */
  readonly max: number;
  /** Milliseconds for which work waits for a connection. */
  readonly patience: number;
  /** Milliseconds after which a connection that answers nothing is given up. */
  readonly silence: number;
  /** Milliseconds for which a connection is used. */
  readonly lifetime: number;
}

/** Statements of one connection at a time, so that it never idles while there is work. */
const DEPTH = 8;
/** Milliseconds after which a statement counts as slow: nothing more is sent behind it. */
const SLOW = 100;
/** Milliseconds between looks at what waits. */
const SWEEP = 250;
/** Milliseconds until a connection is tried for again, where one could not be opened. */
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

/** A connection of one's own. */
export interface Lease {
  readonly connection: Connection;
  release(): void;
}

/** Of so many connections, those that transactions may have. */
const shareOfTransactions = (connections: number): number =>
  connections < 2 ? connections : connections - Math.max(1, Math.floor(connections / 4));

export type Pool = ReturnType<typeof createPool>;

/** `open` opens a connection. */
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

  /** No more are opened at a time than there is work waiting for. */
  const isWanted = (): boolean => opening <= readers.length + writers.length && mayGrow();

  const add = (connection: Connection): void => {
    // Different for each, so that they do not all end at once.
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

  /** The one with the fewest statements that is not busy with a slow one. */
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

  /** One to use now. While another is being opened, that is worth waiting for unless one is free. */
  const now = (queue: readonly Waiter[]): PooledConnection | undefined => {
    const member = best();
    return member === undefined || member.connection.waiting === 0 || queue.length >= opening ? member : undefined;
  };

  /** Gives connections to those who wait. */
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

  /** Those that are busy with what nobody waits for, with statements behind it only that can run again. */
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
    /** Uses a connection that others use too: for what needs no more than one statement. */
    shared<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
      const member = now(readers);
      if (member) return use(member.connection);
      return new Promise((resolve, reject) => {
        wait(readers, ({ connection }) => resolve(use(connection)), reject);
      });
    },
    /** A connection that nobody else uses until it is released. */
    lease(): Promise<Lease> {
      const member = hasShareLeft() ? now(writers) : undefined;
      if (member) return Promise.resolve(reserve(member));
      return new Promise((resolve, reject) => {
        wait(writers, (given) => resolve(reserve(given)), reject);
      });
    },
    /** Waits for what runs, for some seconds. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(sweep);
      failAll(new ServiceUnavailableError("The database has been closed"));
      await Promise.all([...members].map(({ connection }) => connection.close()));
    },
  };
};
