/** Users, for callers who may see and change them. */
import type { DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
import type { Filters, ReadDocument, Sort } from "../schema/typed/index.ts";
import type { UserOf, WrittenUser } from "./auth.ts";
import type { Part } from "./content.ts";
import { segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import type { FieldsOf, Known, NothingOf, PopulateOf } from "./shown.ts";

/** What to show of users. */
export interface UserQuery<Listed, Populated> {
  readonly fields?: Listed;
  readonly populate?: Populated;
}

/** Which users to read, and what to show of them. */
export interface UsersQuery<User, Listed, Populated> extends UserQuery<Listed, Populated> {
  readonly filters?: Filters<User, "client">;
  readonly sort?: Sort<User, "client">;
  /** The first user; without `start` and `limit`, all users are read. */
  readonly start?: number;
  readonly limit?: number;
}

/** A new user; password and role are required. */
export type NewUser<Uid extends KnownUid> = InputOf<Uid> & {
  readonly [Name in ("password" | "role") & keyof InputOf<Uid>]-?: NonNullable<InputOf<Uid>[Name]>;
};

type Shown<Uid extends KnownUid, Listed, Populated> = ReadDocument<DocumentOf<Uid>, Listed, Populated, "published">;

/** Users, addressed by their numeric `id` and returned without an envelope. */
export interface Users<Uid extends KnownUid> {
  find<const Listed extends FieldsOf<Uid> = "*", const Populated extends PopulateOf<Uid> = NothingOf<Uid>>(
    query?: UsersQuery<DocumentOf<Uid>, Listed, Known<Uid, Populated>>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated>[]>;
  count(query?: { readonly filters?: Filters<DocumentOf<Uid>, "client"> }, options?: RequestOptions): Promise<number>;
  /** The logged-in user. */
  me<const Listed extends FieldsOf<Uid> = "*", const Populated extends PopulateOf<Uid> = NothingOf<Uid>>(
    query?: UserQuery<Listed, Known<Uid, Populated>>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated>>;
  /** One user; null if there is no such user. */
  findOne<const Listed extends FieldsOf<Uid> = "*", const Populated extends PopulateOf<Uid> = NothingOf<Uid>>(
    id: number,
    query?: UserQuery<Listed, Known<Uid, Populated>>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated> | null>;
  create(user: NewUser<Uid>, options?: RequestOptions): Promise<WrittenUser<Uid>>;
  update(id: number, changes: Partial<InputOf<Uid>>, options?: RequestOptions): Promise<WrittenUser<Uid>>;
  /** Deletes a user, and returns that user; null if there was none. */
  delete(id: number, options?: RequestOptions): Promise<UserOf<Uid> | null>;
}

const one = (id: number): string => `/users/${segment(id)}`;

/** `/users`, of this content type. */
export const users =
  <Uid extends KnownUid>(): Part<Users<Uid>> =>
  ({ request }) => ({
    find: async (query, options) => request("GET", "/users", { query, options }),
    count: async (query, options) => request("GET", "/users/count", { query, options }),
    me: async (query, options) => request("GET", "/users/me", { query, options }),
    findOne: async (id, query, options) => (await request("GET", one(id), { query, options })) ?? null,
    create: async (user, options) => request("POST", "/users", { body: user, options }),
    update: async (id, changes, options) => request("PUT", one(id), { body: changes, options }),
    delete: async (id, options) => (await request("DELETE", one(id), { options })) ?? null,
  });
