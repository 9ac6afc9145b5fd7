/** The public client, and the routes for which it has no method. */
import {
  auth,
  defineClient,
  files,
  memoryStore,
  RequestError,
  type RequestParts,
  type Session,
  type SessionStore,
} from "galley-cms/client";
import { saidByServer } from "../i18n/index.ts";
import { settings } from "../settings.ts";

const KEY = "panel:session";

/** For servers that do not renew tokens: stores the token in the tab, until that closes. */
const tabStore = (): SessionStore => ({
  get: (): Session | undefined => JSON.parse(sessionStorage.getItem(KEY) ?? "null") ?? undefined,
  set: (session) => (session ? sessionStorage.setItem(KEY, JSON.stringify(session)) : sessionStorage.removeItem(KEY)),
});

export const store = settings.sessions ? memoryStore() : tabStore();

const createClient = defineClient({ auth: auth<never>(), files: files() });

export const client = createClient({
  url: "",
  prefix: settings.prefix,
  session: store,
  cookies: settings.sessions,
  init: {
    headers: {
      // Regardless of the format that the project's own clients use.
      "strapi-response-format": "v5",
      ...(settings.sessions ? { "x-strapi-refresh-cookie": "httpOnly" } : {}),
    },
  },
});

const listeners = new Set<() => void>();

/** Calls `listener` when a request is refused because the session is over. Returns the function that unsubscribes. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const askToSignIn = (): void => {
  for (const listener of listeners) listener();
};

/** Sends a request below the REST prefix. */
export const send = async <Answer>(method: string, path: string, parts?: RequestParts): Promise<Answer> => {
  try {
    return await client.request<Answer>(method, path, parts);
  } catch (error) {
    if (isSignedOut(error)) askToSignIn();
    throw error;
  }
};

export { RequestError };

/** Whether an error means that the session is over. */
export const isSignedOut = (error: unknown): boolean => error instanceof RequestError && error.status === 401;

/** The message of an error, for users. */
export const messageOf = (error: unknown): string =>
  saidByServer(error instanceof Error ? error.message : String(error));
