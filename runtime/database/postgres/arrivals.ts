/**
 * Reads what arrives on the socket of a connection, in place of the driver: it reads into one buffer again and again, and
 * keeps the rows of answers apart. All other messages are passed on to the driver, each as a whole.
 *
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { ServiceUnavailableError } from "../../base/errors.ts";

/** Bytes of the buffer, unless a message is longer. */
const SIZE = 1 << 16;
/** Bytes of a message before its content: its type and its length, which does not count the type. */
const HEAD = 5;
/** Bytes of the longest message that PostgreSQL sends. */
const LONGEST = 1 << 30;

const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;

/** The rows of an answer as they arrived: parts, each of which holds whole messages. */
export type RawRows = readonly Buffer[];

export class Arrivals {
  readonly #pass: (messages: Buffer) => void;
  #buffer = Buffer.allocUnsafeSlow(SIZE);
  /** Bytes at the start of the buffer that belong to a message of which the rest has not arrived. */
  #held = 0;
  #rows: Buffer[] = [];
  #keepsRows = false;

  /** @param pass gives the driver messages that are no rows */
  constructor(pass: (messages: Buffer) => void) {
    this.#pass = pass;
  }

  /** From now on rows are kept apart; call it when no answer is under way. Before, all is passed on as it arrives. */
  keepRows(): void {
    this.#keepsRows = true;
  }

  /** From now on all is passed on as it arrives; call it when no answer is under way. */
  passAll(): void {
    this.#keepsRows = false;
  }

  /** While the end of an answer is passed on: its rows. Undefined if they are not kept apart. */
  get rows(): RawRows | undefined {
    return this.#keepsRows ? this.#rows : undefined;
  }

  /** Where to put the bytes that arrive next. */
  get space(): Buffer {
    return this.#held === 0 ? this.#buffer : this.#buffer.subarray(this.#held);
  }

  /**
   * Takes so many bytes that have been put into {@link space}.
   *
   * @throws ServiceUnavailableError when they are no messages of PostgreSQL
   */
  take(count: number): void {
    const end = this.#held + count;
    if (this.#keepsRows) this.#keep(this.#divide(end), end);
    else this.#pass(Buffer.from(this.#buffer.subarray(0, end)));
  }

  /** Sorts the messages that have arrived completely; returns where they end. */
  #divide(end: number): number {
    const buffer = this.#buffer;
    let start = 0;
    let at = 0;
    let isRows = false;
    while (end - at >= HEAD) {
      const next = at + 1 + buffer.readUInt32BE(at + 1);
      if (next > end) break;
      const type = buffer[at];
      if ((type === DATA_ROW) !== isRows) {
        this.#sort(start, at, isRows);
        start = at;
        isRows = !isRows;
      }
      at = next;
      if (type !== READY_FOR_QUERY) continue;
      this.#sort(start, at, isRows);
      start = at;
      this.#rows = [];
    }
    this.#sort(start, at, isRows);
    return at;
  }

  #sort(start: number, end: number, isRows: boolean): void {
    if (start === end) return;
    const bytes = Buffer.from(this.#buffer.subarray(start, end));
    if (isRows) this.#rows.push(bytes);
    else this.#pass(bytes);
  }

  /** Keeps the beginning of the next message, and makes room for all of it. */
  #keep(start: number, end: number): void {
    const from = this.#buffer;
    this.#held = end - start;
    const length = this.#held < HEAD ? HEAD : 1 + from.readUInt32BE(start + 1);
    if (length > LONGEST) throw new ServiceUnavailableError("The database sends what is no message of PostgreSQL");
    if (length > from.length) this.#buffer = Buffer.allocUnsafeSlow(length);
    else if (this.#held === 0 && from.length > SIZE) this.#buffer = Buffer.allocUnsafeSlow(SIZE);
    // A long message arrives in many parts: those that are in their place already stay there.
    if (start > 0 || this.#buffer !== from) from.copy(this.#buffer, 0, start, end);
  }
}
