/** The statements of one connection that were sent and have no answer yet. */
import { AbandonedError } from "../../base/errors.ts";
import type { Client } from "../database.ts";
import { isEnded, MistakenError } from "../fault.ts";

/** What is known of a statement when it is sent. */
export interface Purpose {
  /** The client that waits; undefined for statements that must run anyway, and exactly once. */
  readonly client?: Client | undefined;
  /** Whether it is a single statement, which may run again after it was cancelled. */
  readonly isSingle: boolean;
}

export interface Sent extends Purpose {
  /** Fails it, without waiting for its answer. */
  readonly fail: (error: unknown) => void;
  /** What a cancellation of this statement means: its client has gone, or another statement was meant. */
  end: "abandoned" | "mistaken" | undefined;
  /** Called when the statement has been answered. */
  onAnswer: (() => void) | undefined;
}

export class Unanswered {
  /** In the order in which they will be answered. */
  readonly #sent: Sent[] = [];
  #progress = 0;

  get count(): number {
    return this.#sent.length;
  }

  /** Whether nobody waits for the first of them any more, and the others may run again. */
  get isAbandoned(): boolean {
    const [first, ...others] = this.#sent;
    return first?.client?.aborted === true && others.every(({ isSingle }) => isSingle);
  }

  /** Milliseconds for which the oldest has been running. */
  stuckFor(): number {
    return this.count === 0 ? 0 : performance.now() - this.#progress;
  }

  add({ client, isSingle }: Purpose, fail: Sent["fail"]): Sent {
    if (this.count === 0) this.#progress = performance.now();
    const sent: Sent = { fail, client, isSingle, end: undefined, onAnswer: undefined };
    this.#sent.push(sent);
    return sent;
  }

  answered(sent: Sent | undefined): void {
    if (!sent) return;
    const index = this.#sent.indexOf(sent);
    if (index >= 0) this.#sent.splice(index, 1);
    this.#progress = performance.now();
    sent.onAnswer?.();
  }

  /** See {@link Connection.expectEnd}. */
  expectEnd(): Promise<void> {
    const [first, ...others] = this.#sent;
    for (const sent of others) sent.end = "mistaken";
    if (!first) return Promise.resolve();
    first.end = "abandoned";
    return new Promise((resolve) => {
      first.onAnswer = resolve;
    });
  }

  failAll(error: unknown): void {
    for (const { fail } of this.#sent.splice(0)) fail(error);
  }
}

/** The error to report for a failed statement. */
export const meant = (error: unknown, sent: Sent | undefined): unknown => {
  const end = sent?.end;
  if (end === undefined || !isEnded(error)) return error;
  return end === "abandoned" ? new AbandonedError() : Object.assign(new MistakenError(), { cause: error });
};
