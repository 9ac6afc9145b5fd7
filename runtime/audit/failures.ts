/** Limits how many failed logins are recorded, since anybody can cause any number of them. */
import type { Act } from "../documents/acts.ts";

const MINUTE = 60_000;

/** How many failures of a minute have entries of their own. */
const OWN = 10;

/** How many addresses and accounts the sum of the others names. */
const NAMED = 20;

/** Counts by name, for a limited number of names. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string | undefined): void {
    if (name === undefined) return;
    const count = this.#counts.get(name);
    if (count !== undefined || this.#counts.size < NAMED) this.#counts.set(name, (count ?? 0) + 1);
  }

  take(): Readonly<Record<string, number>> {
    const counts = Object.fromEntries(this.#counts);
    this.#counts.clear();
    return counts;
  }
}

/** Failed logins of this process. */
export class Failures {
  readonly #now: () => number;
  readonly #addresses = new Counts();
  readonly #accounts = new Counts();
  #begun = -MINUTE;
  #own = 0;
  #others = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether a failure gets an entry of its own; otherwise it is counted. */
  admits({ subject }: Act, address: string | undefined): boolean {
    if (this.#now() - this.#begun >= MINUTE) {
      this.#begun = this.#now();
      this.#own = 0;
    }
    this.#own += 1;
    if (this.#own <= OWN) return true;
    this.#others += 1;
    this.#addresses.add(address);
    this.#accounts.add(subject?.id);
    return false;
  }

  /** The sum of those that got no entry in earlier minutes; with `isAll` also in this one. */
  take(isAll = false): Act | undefined {
    if (this.#others === 0 || (!isAll && this.#now() - this.#begun < MINUTE)) return undefined;
    const count = this.#others;
    this.#others = 0;
    return {
      action: "login.fail",
      details: { count, addresses: this.#addresses.take(), accounts: this.#accounts.take() },
    };
  }
}
