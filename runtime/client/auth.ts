/** Logging in and out. After a login, the client sends all further requests as that user until the session ends. */
import type { DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
import type { ReadDocument } from "../schema/typed/index.ts";
import type { Part } from "./content.ts";
import { RequestError } from "./error.ts";
import { type Http, type InternalParts, segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { Session } from "./session.ts";

/** A user in the responses about accounts. */
export type UserOf<Uid extends KnownUid> = ReadDocument<DocumentOf<Uid>, "*", {}, "published">;

/** A user who was registered or changed, with the role if the caller may see it. */
export type WrittenUser<Uid extends KnownUid> = UserOf<Uid> &
  Partial<ReadDocument<DocumentOf<Uid>, readonly [], { readonly role: true }, "published">>;

/** The response to a login. The client stores the tokens. */
export interface Login<User> extends Partial<Session> {
  readonly user: User;
}

/** Who logs in. */
export interface Credentials {
  /** The name of the user, or the e-mail address. */
  readonly identifier: string;
  readonly password: string;
  /** Names the device of the session, so that all sessions of a device can be ended together. */
  readonly deviceId?: string;
}

/** What every registration must contain. */
export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A new password, given twice. */
export interface NewPassword {
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** A session of the logged-in user. */
export interface SessionInfo {
  readonly id: string;
  readonly deviceId: string | null;
  readonly deviceName: string | null;
  readonly current: boolean;
  readonly loginAt: string;
  readonly lastActiveAt: string;
}

/** Accounts of users, and their sessions. */
export interface Auth<Uid extends KnownUid> {
  login(credentials: Credentials, options?: RequestOptions): Promise<Login<UserOf<Uid>>>;
  /** Registers a user. The response has no tokens if the address must be confirmed first. */
  register(
    account: NewAccount & Partial<Omit<InputOf<Uid>, keyof NewAccount>>,
    options?: RequestOptions,
  ): Promise<Login<WrittenUser<Uid>>>;
  /** Ends this session, all of them, or those of a device. The client forgets its tokens even if the request fails. */
  logout(which?: { readonly scope: "all" } | { readonly deviceId: string }, options?: RequestOptions): Promise<void>;
  /** Renews the tokens now, for pages that start with only the cookie. Returns whether there are new tokens. */
  refresh(): Promise<boolean>;
  sessions(options?: RequestOptions): Promise<SessionInfo[]>;
  endSession(id: string, options?: RequestOptions): Promise<void>;
  /** Mails a code, if there is such a user. */
  forgotPassword(account: { readonly email: string }, options?: RequestOptions): Promise<void>;
  /** Sets a password with a mailed code, and logs in. */
  resetPassword(change: NewPassword & { readonly code: string }, options?: RequestOptions): Promise<Login<UserOf<Uid>>>;
  /** Changes the user's own password, which ends all other sessions. */
  changePassword(
    change: NewPassword & { readonly currentPassword: string },
    options?: RequestOptions,
  ): Promise<Login<UserOf<Uid>>>;
  /** Mails a link that confirms an address. */
  sendConfirmation(account: { readonly email: string }, options?: RequestOptions): Promise<void>;
  /** The address to which a browser goes to log in with a provider. */
  providerUrl(provider: string): string;
  /** Logs in with the query string that the provider's redirect added to the address: `location.search`. */
  loginWithProvider(provider: string, search: string, options?: RequestOptions): Promise<Login<UserOf<Uid>>>;
}

/** Whether the session no longer exists, or the server has no sessions. */
const isOver = (error: unknown): boolean => error instanceof RequestError && [401, 404].includes(error.status);

/** Stores the tokens of a response, and returns the response. */
const kept = async <Answered extends Partial<Session>>(
  { store, sessionIn }: Http,
  answer: Promise<Answered>,
): Promise<Answered> => {
  const login = await answer;
  const session = sessionIn(login);
  if (session) await store.set(session);
  return login;
};

type Which = Parameters<Auth<KnownUid>["logout"]>[0];

const logOut = async (http: Http, which: Which, options: RequestOptions | undefined): Promise<void> => {
  const session = (await http.store.get()) ?? (await http.renew(undefined));
  if (!session) return;
  try {
    await http.request("POST", "/auth/logout", { body: which ?? {}, options });
  } catch (error) {
    if (!isOver(error)) throw error;
  } finally {
    if (!which || "scope" in which) await http.store.set(undefined);
  }
};

/** The routes of `/auth`, for users of this content type. */
export const auth =
  <Uid extends KnownUid>(): Part<Auth<Uid>> =>
  (http) => {
    const post = <Answered>(path: string, parts: InternalParts) =>
      http.request<Answered>("POST", path, { anonymous: true, ...parts });
    const logIn = (path: string, parts: InternalParts) => kept(http, post<Login<UserOf<Uid>>>(path, parts));
    return {
      login: (body, options) => logIn("/auth/local", { body, options }),
      register: (body, options) => logIn("/auth/local/register", { body, options }),
      logout: (which, options) => logOut(http, which, options),
      refresh: async () => (await http.renew(await http.store.get())) !== undefined,
      sessions: async (options) =>
        (await http.request<{ data: SessionInfo[] }>("GET", "/auth/sessions", { options })).data,
      endSession: async (id, options) => {
        await http.request("DELETE", `/auth/sessions/${segment(id)}`, { options });
      },
      forgotPassword: (body, options) => post("/auth/forgot-password", { body, options }),
      resetPassword: (body, options) => logIn("/auth/reset-password", { body, options }),
      changePassword: (body, options) => logIn("/auth/change-password", { body, options, anonymous: false }),
      sendConfirmation: (body, options) => post("/auth/send-email-confirmation", { body, options }),
      providerUrl: (provider) => http.address(`/connect/${segment(provider)}`),
      loginWithProvider: (provider, search, options) => {
        const query = Object.fromEntries(new URLSearchParams(search));
        const parts = { query, options, anonymous: true };
        return kept(http, http.request("GET", `/auth/${segment(provider)}/callback`, parts));
      },
    };
  };
