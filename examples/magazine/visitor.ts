/** Who visits: what forms of the sites send, and the session, in a cookie of the site that scripts cannot read. */
import { RequestError, type Session } from "galley-cms/client";
import { createClient } from "../../generated/client/index.ts";
import type { Locale } from "./content.ts";
import { serverUrl } from "./settings.ts";

const KEPT = { path: "/", httpOnly: true, sameSite: "lax", secure: true, maxAge: 30 * 24 * 3600 } as const;

/** Cookies of a request and its answer: those of Astro and of Next.js are. */
interface Cookies {
  get(name: string): { readonly value: string } | undefined;
  set(name: string, value: string, options: Omit<typeof KEPT, "maxAge"> & { readonly maxAge: number }): unknown;
}

const keep = (cookies: Cookies, name: string, value: string | undefined): void => {
  cookies.set(name, value ?? "", value === undefined ? { ...KEPT, maxAge: 0 } : KEPT);
};

const sessionIn = (cookies: Cookies): Session | undefined => {
  const [jwt, refreshToken] = cookies.get("session")?.value.split(" ") ?? [];
  return jwt && refreshToken ? { jwt, refreshToken } : undefined;
};

/** One client is one visitor. It renews the session when it has to. */
const clientFor = (cookies: Cookies) =>
  createClient({
    url: serverUrl(),
    session: {
      get: () => sessionIn(cookies),
      set: (session) => keep(cookies, "session", session && `${session.jwt} ${session.refreshToken}`),
    },
  });

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

/** What the server has against a form, in its own words. */
const complaint = (error: unknown): string => {
  if (!(error instanceof RequestError)) throw error;
  return error.details.errors?.map(({ message }) => message).join(", ") ?? error.message;
};

/** The name of whoever has logged in. */
export const visitorName = (cookies: Cookies): string | undefined => cookies.get("visitor")?.value || undefined;

/** Logs in by a form; gives what is wrong with it. */
export const logIn = async (cookies: Cookies, form: FormData): Promise<string | undefined> => {
  try {
    const credentials = { identifier: text(form, "identifier"), password: String(form.get("password") ?? "") };
    const { user } = await clientFor(cookies).auth.login(credentials);
    keep(cookies, "visitor", user.username);
    return undefined;
  } catch (error) {
    return complaint(error);
  }
};

export const logOut = async (cookies: Cookies): Promise<void> => {
  keep(cookies, "visitor", undefined);
  await clientFor(cookies).auth.logout();
};

const slugOf = (title: string): string =>
  title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Proposes a story by a form: a draft, which an editor may publish. Gives what is wrong with it. */
export const propose = async (cookies: Cookies, locale: Locale, form: FormData): Promise<string | undefined> => {
  const title = text(form, "title");
  const data = { title, slug: slugOf(title), excerpt: text(form, "excerpt") };
  try {
    await clientFor(cookies).articles.create({ data, locale, status: "draft" });
    return undefined;
  } catch (error) {
    return complaint(error);
  }
};
