/** Stores and renews the tokens of the logged-in user. */
import { RequestError } from "./error.ts";

/** The tokens from a login. */
export interface Session {
  readonly jwt: string;
  /** Absent if it is in a cookie, and on servers that do not renew tokens. */
  readonly refreshToken?: string;
}

/** Stores a session: across page loads, or for one visitor of a server that renders pages. */
export interface SessionStore {
  get(): Session | undefined | Promise<Session | undefined>;
  /** Undefined when the session has ended. */
  set(session: Session | undefined): void | Promise<void>;
}

/** Stores a session in memory, as long as the client exists. */
export const memoryStore = (): SessionStore => {
  let kept: Session | undefined;
  return {
    get: () => kept,
    set(session) {
      kept = session;
    },
  };
};

/** Whether an error means that the session is over, and not that renewing it failed temporarily. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RequestError && [400, 401, 403, 404].includes(error.status);

/**
 * Creates the function that renews a session whose token was refused. If several requests are refused at once, only one
 * of them renews. If the user logs out or in meanwhile, that takes precedence over the result.
 *
 * @param exchange asks the server for the next session; undefined if there can be none
 * @returns takes the refused session, and returns the one to retry with; undefined if there is none
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
