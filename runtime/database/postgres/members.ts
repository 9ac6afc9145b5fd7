/** The connections of a pool: opened when they are needed, closed when they are lost or old. */
import { DatabaseLostError } from "../fault.ts";
import type { Connection, ConnectionEvents } from "./connection.ts";
import type { Work } from "./shares.ts";

/** Milliseconds until the next attempt after a connection could not be opened; grows from `first` to `most`. */
const REST = { first: 50, most: 1000 };

/** A connection of the pool. */
export interface Member {
  readonly connection: Connection;
  readonly retiresAt: number;
  /** What it is used for; empty while it is free. */
  readonly works: Work[];
  /** Whether nobody waits for its statements any more. */
  isAbandoned: boolean;
  /** A cancellation is under way, so the connection is given no work. */
  isCancelling: boolean;
  /** The connection closes as soon as it is free, and is given no work. */
  isRetired: boolean;
}

/** Opens a connection. */
export type Open = (events: ConnectionEvents) => Promise<Connection>;

/** Whether the member gets no more work. */
export const isClosing = ({ connection, isRetired, isCancelling }: Member): boolean =>
  isRetired || isCancelling || connection.isLost;

export interface MemberLimits {
  /** Most connections in the pool. */
  readonly max: number;
  /** Milliseconds after which a connection is replaced. */
  readonly lifetime: number;
}

/** What a pool does when its connections change. */
export interface MemberEvents {
  /** Called when connections may have become free, or fewer. */
  onChange(): void;
  /** Called when no connection could be opened, and there is none. */
  onOutage(error: unknown): void;
}

export class Members {
  readonly #open: Open;
  readonly #limits: MemberLimits;
  readonly #events: MemberEvents;
  readonly #all = new Set<Member>();
  #opening = 0;
  #failures = 0;
  #restsUntil = 0;
  #lastFailure: unknown;
  #isClosed = false;

  constructor(open: Open, limits: MemberLimits, events: MemberEvents) {
    this.#open = open;
    this.#limits = limits;
    this.#events = events;
  }

  [Symbol.iterator](): IterableIterator<Member> {
    return this.#all.values();
  }

  /** Opens the first connection. Rejects when that fails. */
  async start(): Promise<void> {
    this.#add(await this.#openOne());
  }

  /** Why there is no connection and none is being opened; undefined as long as there is one. */
  get outage(): unknown {
    if (this.#all.size + this.#opening > 0) return undefined;
    return this.#lastFailure ?? new DatabaseLostError("The database is not available");
  }

  /** How many connections there are or may be. */
  get capacity(): number {
    return this.#opening > 0 || this.#mayGrow() ? this.#limits.max : this.#all.size;
  }

  /** A connection without work. If there is none, opens one more if fewer are being opened than work waits for. */
  free(waiting: number): Member | undefined {
    for (const member of this.#all) {
      if (member.works.length === 0 && !isClosing(member)) return member;
    }
    if (this.#opening <= waiting && this.#mayGrow()) void this.#grow();
    return undefined;
  }

  /** Takes work off a member, and closes the member afterwards if needed. */
  release(member: Member, work: Work): void {
    member.works.splice(member.works.indexOf(work), 1);
    member.isAbandoned = false;
    if (member.connection.isLost) this.#all.delete(member);
    else if (member.isRetired) this.retire(member);
  }

  /** Closes a connection as soon as it is free. */
  retire(member: Member): void {
    member.isRetired = true;
    if (member.works.length > 0 || member.isCancelling) return;
    this.#all.delete(member);
    void member.connection.close();
  }

  /** Removes lost connections. */
  sweepLost(): void {
    for (const member of this.#all) if (member.connection.isLost) this.#all.delete(member);
    this.#events.onChange();
  }

  /** Waits some seconds for running statements, then closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map(({ connection }) => connection.close()));
  }

  #mayGrow(): boolean {
    return (
      !this.#isClosed && this.#all.size + this.#opening < this.#limits.max && performance.now() >= this.#restsUntil
    );
  }

  #openOne(): Promise<Connection> {
    return this.#open({ onLost: () => this.sweepLost() });
  }

  #add(connection: Connection): void {
    // Connections get different lifetimes, so that they are not all replaced at once.
    const retiresAt = performance.now() + this.#limits.lifetime * (0.5 + Math.random() / 2);
    const flags = { isAbandoned: false, isCancelling: false, isRetired: false };
    this.#all.add({ connection, retiresAt, works: [], ...flags });
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
      if (this.#all.size === 0 && this.#opening === 1) this.#events.onOutage(error);
    } finally {
      this.#opening -= 1;
      this.#events.onChange();
    }
  }
}
