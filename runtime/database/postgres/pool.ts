/**
 * The connection pool of one process. A single statement has a connection to itself until it is answered, or shares it
 * with more of the same; waiting work gets the next free one. Transactions together, and work with a key in common, get
 * only a part of the pool, so that others always have connections (see `shares.ts`). Work that waits too long fails.
 * Failing to open a connection does not block the use of the open ones (see `members.ts`).
 */
import { AbandonedError, ServiceUnavailableError } from "../../base/errors.ts";
import type { Client } from "../database.ts";
import type { Connection } from "./connection.ts";
import { isClosing, type Member, type MemberLimits, Members, type Open } from "./members.ts";
import { exhaustedKeys, mayFollow, transactionOf, type Work, workOf } from "./shares.ts";

export interface PoolLimits extends MemberLimits {
  /** Milliseconds that work waits for a connection before it fails. */
  readonly patience: number;
  /** Milliseconds without an answer after which a connection is dropped. */
  readonly silence: number;
}

/** Most statements sent on one connection before their answers arrive. */
const DEPTH = 8;
/** Milliseconds from which a statement counts as slow. */
const SLOW = 100;
/** Milliseconds between checks for work that waits too long and connections that do not answer. */
const SWEEP = 250;
const TOO_LONG = "The database took too long";

/** A connection for exclusive use. */
export interface Lease {
  readonly connection: Connection;
  release(): void;
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

/** The error for work whose client no longer waits for it; undefined while it does. */
const endOf = ({ client }: Work, time: number): Error | undefined => {
  if (client?.aborted) return new AbandonedError();
  return (client?.deadline ?? Infinity) <= time ? new ServiceUnavailableError(TOO_LONG) : undefined;
};

export class Pool {
  readonly #cancel: Cancel;
  readonly #limits: PoolLimits;
  readonly #members: Members;
  readonly #sweeps: NodeJS.Timeout;
  #waiters: Waiter[] = [];

  /** @param open opens a connection */
  constructor(open: Open, cancel: Cancel, limits: PoolLimits) {
    this.#cancel = cancel;
    this.#limits = limits;
    const events = { onChange: () => this.#serve(), onOutage: (error: unknown) => this.#failAll(error) };
    this.#members = new Members(open, limits, events);
    this.#sweeps = setInterval(() => this.#sweep(), SWEEP).unref();
  }

  /** Opens the first connection. Rejects when that fails: then the pool is closed. */
  async start(): Promise<void> {
    try {
      await this.#members.start();
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
    // Only an unanswered statement ends it: a transaction in which project code is working is left alone.
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
    clearInterval(this.#sweeps);
    this.#failAll(new ServiceUnavailableError("The database has been closed"));
    await this.#members.close();
  }

  /** A connection for the work, if it need not wait: a free one, or one that it may share. */
  #now(work: Work): Member | undefined {
    const error = work.client && endOf(work, performance.now());
    if (error) throw error;
    if (this.#waiters.length > 0) return undefined;
    const member = this.#members.free(0);
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
    const { outage } = this.#members;
    if (outage !== undefined) return Promise.reject(outage);
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
    return exhaustedKeys(begun, this.#members.capacity);
  }

  /** Gives free connections to waiting work, in order; skips work whose share is used up. */
  #serve(): void {
    let member = this.#waiters.length > 0 ? this.#members.free(this.#waiters.length) : undefined;
    if (!member) return;
    let exhausted = this.#exhausted();
    this.#expire(performance.now());
    this.#waiters = this.#waiters.filter(({ work, take }) => {
      if (!member || !this.#mayStart(work, exhausted)) return true;
      take(this.#use(member, work));
      member = this.#members.free(this.#waiters.length);
      exhausted = this.#exhausted();
      return false;
    });
  }

  #free(member: Member, work: Work): void {
    this.#members.release(member, work);
    if (member.works.length === 0) this.#serve();
  }

  #failAll(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.fail(error);
  }

  #sweep(): void {
    const time = performance.now();
    for (const member of this.#members) {
      if (member.connection.stuckFor() > this.#limits.silence) member.connection.drop("The database does not answer");
      else if (member.isRetired || member.retiresAt <= time) this.#members.retire(member);
      this.#endAbandoned(member, time);
    }
    this.#members.sweepLost();
    this.#expire(time);
    const abandoned = () => [...this.#members].filter(({ isAbandoned }) => isAbandoned);
    void this.#cancel(abandoned).then(() => this.#serve());
  }

  #endAbandoned(member: Member, time: number): void {
    const errors = member.works.map((work) => endOf(work, time));
    for (const [index, error] of errors.entries()) if (error) member.works[index]?.fail?.(error);
    // A transaction is never cancelled: it is dropped, or continues.
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
