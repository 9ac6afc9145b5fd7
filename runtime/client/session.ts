/** Tokens of whoever has logged in: where they are kept, and how they are renewed. */
import { RequestError } from "./error.ts";

/** What a login gives. */
export interface Session {
  readonly jwt: string;
  /** Absent where it travels in a cookie, and on servers whose tokens are not renewed. */
  readonly refreshToken?: string;
}

/** Keeps a session: between loads of a page, or for one visitor of a server that renders pages. */
export interface SessionStore {
  get(): Session | undefined | Promise<Session | undefined>;
  /** Undefined when the session has ended. */
  set(session: Session | undefined): void | Promise<void>;
}

/** Keeps a session as long as the client itself. */
export const memoryStore = (): SessionStore => {
  let kept: Session | undefined;
  return {
    get: () => kept,
    set(session) {
      kept = session;
    },
  };
};

/** Says that the session is over, and not that it cannot be renewed just now. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError && [400, 401, 403, 404].includes(error.status);

/**
 * Makes what renews a session whose token was refused. However many requests are refused at once, one of them asks, and
 * who logs out or in meanwhile is not overruled by the answer.
 *
 * @param exchange asks the server for the successor of a session; undefined where there can be none
 * @returns takes the session that was refused; gives the one to try again with, or undefined when there is none
 */
export const renewal = (
  store: SessionStore,
  exchange: (session: Session | undefined) => Promise<Session | undefined>,
): ((refused: Session | undefined) => Promise<Session | undefined>) => {
  const renew = async (refused: Session | undefined): Promise<Session | undefined> => {
    const current = await store.get();
    if (current?.jwt !== refused?.jwt) return current;
    const answer = await exchange(current).catch((error: unknown) => {
      if (isRefusal(error)) return "over" as const;
      throw error;
    });
    const latest = await store.get();
    if (answer === undefined) return undefined;
    if (latest?.jwt !== refused?.jwt) return latest;
    const next = answer === "over" ? undefined : answer;
    await store.set(next);
    return next;
  };
  let renewing: Promise<Session | undefined> | undefined;
  return (refused) => {
    renewing ??= renew(refused).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
};
