/**
 * The connection pool of one process. A single statement has a connection to itself until it is answered, or shares it with
 * more of the same; what waits goes to the next connection that is free. Transactions together get only a part of the pool, so that reads always have
 * connections, and so does what has a key in common (see `shares.ts`). Work that waits too long fails. Failing to open a
 * connection does not block the use of the open ones.
 */
import { AbandonedError, ServiceUnavailableError } from "../../base/errors.ts";
import type { Client } from "../database.ts";
import { DatabaseLostError } from "../fault.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import { exhaustedKeys, mayFollow, transactionOf, type Work, workOf } from "./shares.ts";

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

/** Most statements sent on one connection before their answers arrive. */
const DEPTH = 8;
/** Milliseconds from which on a statement counts as slow. */
const SLOW = 100;
/** Milliseconds between checks for work that waits too long and connections that do not answer. */
const SWEEP = 250;
/** Milliseconds until the next attempt after a connection could not be opened; grows from `first` to `most`. */
const REST = { first: 50, most: 1000 };

const TOO_LONG = "The database took too long";

/** A connection for exclusive use. */
export interface Lease {
  readonly connection: Connection;
  release(): void;
}

/** A connection of the pool. */
export interface Member {
  readonly connection: Connection;
  readonly retiresAt: number;
  /** What it is used for; empty while it is free. */
  readonly works: Work[];
  /** Whether nobody waits for its statements any more. */
  isAbandoned: boolean;
  /** A cancellation is on its way, so the connection is given no work. */
  isCancelling: boolean;
  /** The connection closes as soon as it is free, and is given no work. */
  isRetired: boolean;
}

/** Cancels the running statements of the members that it finds. */
type Cancel = (find: () => readonly Member[]) => Promise<void>;

interface Waiter {
  readonly work: Work;
  readonly until: number;
  take(member: Member): void;
  fail(error: unknown): void;
}

/** A statement that runs outside of transactions. */
export interface SharedStatement {
  readonly sql: string;
  readonly client?: Client | undefined;
}

/** The error for work that its client does not wait for any longer; undefined while it does. */
const endOf = ({ client }: Work, time: number): Error | undefined => {
  if (client?.aborted) return new AbandonedError();
  return (client?.deadline ?? Infinity) <= time ? new ServiceUnavailableError(TOO_LONG) : undefined;
};

const isClosing = ({ connection, isRetired, isCancelling }: Member): boolean =>
  isRetired || isCancelling || connection.isLost;

export class Pool {
  readonly #open: (events: ConnectionEvents) => Promise<Connection>;
  readonly #cancel: Cancel;
  readonly #limits: PoolLimits;
  readonly #members = new Set<Member>();
  readonly #sweeps: NodeJS.Timeout;
  #waiters: Waiter[] = [];
  #opening = 0;
  #failures = 0;
  #restsUntil = 0;
  #lastFailure: unknown;
  #isClosed = false;

  /** @param open opens a connection */
  constructor(open: (events: ConnectionEvents) => Promise<Connection>, cancel: Cancel, limits: PoolLimits) {
    this.#open = open;
    this.#cancel = cancel;
    this.#limits = limits;
    this.#sweeps = setInterval(() => this.#sweep(), SWEEP).unref();
  }

  /** Opens the first connection. Rejects when that fails: then the pool is closed. */
  async start(): Promise<void> {
    try {
      this.#add(await this.#openOne());
    } catch (error) {
      clearInterval(this.#sweeps);
      throw error;
    }
  }

  /** Runs a single statement. Rejects as soon as its client does not wait any longer. */
  async shared<Result>(
    { sql, client }: SharedStatement,
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    const work = workOf(sql, client);
    const member = this.#now(work) ?? (await this.#wait(work));
    const begun = performance.now();
    const run = async (): Promise<Result> => {
      try {
        return await use(member.connection);
      } finally {
        if (work.statement) work.statement.isQuick = performance.now() - begun < SLOW;
        this.#free(member, work);
      }
    };
    return new Promise((resolve, reject) => {
      work.fail = reject;
      run().then(resolve, reject);
    });
  }

  /** A connection for a transaction of the client, until it is released. */
  async lease(client?: Client): Promise<Lease> {
    const work = transactionOf(client);
    const member = this.#now(work) ?? (await this.#wait(work));
    const { connection } = member;
    // Only a statement without an answer ends it: a transaction in which code of the project is working is left alone.
    work.fail = () => connection.stuckFor() > SWEEP && connection.drop(TOO_LONG);
    return { connection, release: () => this.#free(member, work) };
  }

  /** The connections that are open. */
  get members(): readonly Member[] {
    return [...this.#members];
  }

  /** How much waits for a connection. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Waits some seconds for running statements, then closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeps);
    this.#failAll(new ServiceUnavailableError("The database has been closed"));
    await Promise.all([...this.#members].map(({ connection }) => connection.close()));
  }

  /** A connection for the work, if it need not wait: a free one, or one on which it may follow. */
  #now(work: Work): Member | undefined {
    const error = work.client && endOf(work, performance.now());
    if (error) throw error;
    if (this.#waiters.length > 0) return undefined;
    const member = this.#freeMember();
    if (member && this.#mayStart(work)) return this.#use(member, work);
    const other = this.#busyMember(work);
    return other && this.#use(other, work);
  }

  #busyMember(work: Work): Member | undefined {
    let best: Member | undefined;
    for (const member of this.#members) {
      const { works, connection } = member;
      const [first] = works;
      if (!first || works.length >= (best?.works.length ?? DEPTH) || isClosing(member)) continue;
      if (connection.stuckFor() < SLOW && mayFollow(work, first)) best = member;
    }
    return best;
  }

  #wait(work: Work): Promise<Member> {
    if (this.#members.size + this.#opening === 0)
      return Promise.reject(this.#lastFailure ?? new DatabaseLostError("The database is not available"));
    return new Promise((take, fail) => {
      this.#waiters.push({ work, until: performance.now() + this.#limits.patience, take, fail });
      this.#serve();
    });
  }

  #use(member: Member, work: Work): Member {
    member.works.push(work);
    return member;
  }

  #mayStart(work: Work, exhausted = this.#exhausted()): boolean {
    return exhausted.size === 0 || !work.keys().some((key) => exhausted.has(key));
  }

  #exhausted(): ReadonlySet<string> {
    const begun = this.members.flatMap(({ works }) => works[0] ?? []);
    return exhaustedKeys(begun, this.#capacity());
  }

  #freeMember(): Member | undefined {
    for (const member of this.#members) {
      if (member.works.length === 0 && !isClosing(member)) return member;
    }
    if (this.#opening <= this.#waiters.length && this.#mayGrow()) void this.#grow();
    return undefined;
  }

  /** How many connections there are or may be. */
  #capacity(): number {
    return this.#opening > 0 || this.#mayGrow() ? this.#limits.max : this.#members.size;
  }

  /** Gives free connections to waiting work, in its order; work whose share is used up is passed over. */
  #serve(): void {
    let member = this.#waiters.length > 0 ? this.#freeMember() : undefined;
    if (!member) return;
    let exhausted = this.#exhausted();
    this.#expire(performance.now());
    this.#waiters = this.#waiters.filter(({ work, take }) => {
      if (!member || !this.#mayStart(work, exhausted)) return true;
      take(this.#use(member, work));
      member = this.#freeMember();
      exhausted = this.#exhausted();
      return false;
    });
  }

  #free(member: Member, work: Work): void {
    member.works.splice(member.works.indexOf(work), 1);
    member.isAbandoned = false;
    if (member.connection.isLost) this.#members.delete(member);
    else if (member.isRetired) this.#retire(member);
    if (member.works.length === 0) this.#serve();
  }

  #retire(member: Member): void {
    member.isRetired = true;
    if (member.works.length > 0 || member.isCancelling) return;
    this.#members.delete(member);
    void member.connection.close();
  }

  #mayGrow(): boolean {
    return (
      !this.#isClosed && this.#members.size + this.#opening < this.#limits.max && performance.now() >= this.#restsUntil
    );
  }

  #openOne(): Promise<Connection> {
    return this.#open({ onLost: () => this.#sweepLost() });
  }

  #add(connection: Connection): void {
    // Connections get different lifetimes, so that they are not all replaced at once.
    const retiresAt = performance.now() + this.#limits.lifetime * (0.5 + Math.random() / 2);
    const flags = { isAbandoned: false, isCancelling: false, isRetired: false };
    this.#members.add({ connection, retiresAt, works: [], ...flags });
  }

  async #grow(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#openOne();
      if (this.#isClosed) await connection.close();
      else this.#add(connection);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#lastFailure = error;
      this.#restsUntil = performance.now() + Math.min(REST.first * 2 ** this.#failures, REST.most);
      if (this.#members.size === 0 && this.#opening === 1) this.#failAll(error);
    } finally {
      this.#opening -= 1;
      this.#serve();
    }
  }

  #failAll(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.fail(error);
  }

  #sweepLost(): void {
    for (const member of this.#members) if (member.connection.isLost) this.#members.delete(member);
    this.#serve();
  }

  #sweep(): void {
    const time = performance.now();
    for (const member of this.#members) {
      if (member.connection.stuckFor() > this.#limits.silence) member.connection.drop("The database does not answer");
      else if (member.isRetired || member.retiresAt <= time) this.#retire(member);
      this.#endAbandoned(member, time);
    }
    this.#sweepLost();
    this.#expire(time);
    const abandoned = () => [...this.#members].filter(({ isAbandoned }) => isAbandoned);
    void this.#cancel(abandoned).then(() => this.#serve());
  }

  #endAbandoned(member: Member, time: number): void {
    const errors = member.works.map((work) => endOf(work, time));
    for (const [index, error] of errors.entries()) if (error) member.works[index]?.fail?.(error);
    // A transaction is never cancelled: it is dropped, or goes on.
    member.isAbandoned =
      errors.length > 0 && errors.every((error, index) => error && member.works[index]?.statement !== undefined);
  }

  #expire(time: number): void {
    this.#waiters = this.#waiters.filter(({ work, until, fail }) => {
      const error =
        endOf(work, time) ?? (until <= time ? new ServiceUnavailableError("The database is busy") : undefined);
      if (error) fail(error);
      return !error;
    });
  }
}
