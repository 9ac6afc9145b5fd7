/** The transactions that a command has begun in the process that has the database open. */
import type { Session } from "../database.ts";

interface Begun {
  readonly session: Session;
  /** Ends the transaction of the session: commits if `keep`, rolls back otherwise. */
  end(keep: boolean): void;
  /** Resolves when the transaction has ended. */
  readonly over: Promise<void>;
}

/** Thrown to roll a transaction back because the command asked for it. */
const TAKEN_BACK = new Error("taken back");

const nothing: Begun["end"] = () => {};

export interface RemoteSessions {
  /** The session with that number; 0 is the database itself. */
  find(number: number): Session;
  /** Begins a session; resolves when it can be used. */
  begin(number: number, run: (work: (session: Session) => Promise<void>) => Promise<void>): Promise<void>;
  end(number: number, keep: boolean): Promise<void>;
  /** Rolls back all sessions, the latest first. */
  endAll(): Promise<void>;
  readonly isEmpty: boolean;
}

export const createRemoteSessions = (database: Session): RemoteSessions => {
  const begun = new Map<number, Begun>();
  let isOver = false;

  const find = (number: number): Session => {
    if (number === 0) return database;
    const found = begun.get(number);
    if (found === undefined) throw new Error(`there is no session ${number}`);
    return found.session;
  };

  const end = async (number: number, keep: boolean): Promise<void> => {
    const found = begun.get(number);
    if (found === undefined) throw new Error(`there is no session ${number}`);
    begun.delete(number);
    found.end(keep);
    await found.over;
  };

  return {
    find,
    begin: (number, run) =>
      new Promise<void>((started, failed) => {
        let end = nothing;
        const ended = new Promise<void>((resolve, reject) => {
          end = (keep) => (keep ? resolve() : reject(TAKEN_BACK));
        });
        ended.catch(() => {});
        const over: Promise<void> = run(async (session) => {
          // The command has ended while this session waited for its turn.
          if (isOver) throw TAKEN_BACK;
          begun.set(number, { session, end, over });
          started();
          await ended;
        }).catch((error: unknown) => {
          if (error !== TAKEN_BACK) throw error;
        });
        over.catch(failed);
      }),
    end,
    async endAll() {
      isOver = true;
      for (const number of [...begun.keys()].toReversed()) await end(number, false).catch(() => {});
    },
    get isEmpty() {
      return begun.size === 0;
    },
  };
};
