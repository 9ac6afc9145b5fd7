/** Users as those see and change them who may. */
import type { DocumentOf, InputOf, KnownUid } from "../schema/document.ts";
import type {
  Fields,
  Filters,
  KnownPopulate,
  Populate,
  ReadDocument,
  Sort,
  Unpopulated,
} from "../schema/typed/index.ts";
import type { UserOf, WrittenUser } from "./auth.ts";
import type { Part } from "./content.ts";
import { segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import { shown } from "./shown.ts";

/** What is shown of users. */
export interface UserQuery<Listed, Populated> {
  readonly fields?: Listed;
  readonly populate?: Populated;
}

/** Which users are read, and what is shown of them. */
export interface UsersQuery<User, Listed, Populated> extends UserQuery<Listed, Populated> {
  readonly filters?: Filters<User, "client">;
  readonly sort?: Sort<User, "client">;
  /** All of them, where it is not said. */
  readonly start?: number;
  readonly limit?: number;
}

/** A new user, whose password and role have to be given. */
export type NewUser<Uid extends KnownUid> = InputOf<Uid> & {
  readonly [Name in ("password" | "role") & keyof InputOf<Uid>]-?: NonNullable<InputOf<Uid>[Name]>;
};

type Shown<Uid extends KnownUid, Listed, Populated> = ReadDocument<DocumentOf<Uid>, Listed, Populated, "published">;

/** Users are addressed by the numeric `id`, and answered without an envelope. */
export interface Users<Uid extends KnownUid> {
  find<
    const Listed extends Fields<DocumentOf<Uid>, "client"> = "*",
    const Populated extends Populate<DocumentOf<Uid>, "client"> = Unpopulated<DocumentOf<Uid>, "client">,
  >(
    query?: UsersQuery<DocumentOf<Uid>, Listed, KnownPopulate<Populated, DocumentOf<Uid>, "client">>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated>[]>;
  count(query?: { readonly filters?: Filters<DocumentOf<Uid>, "client"> }, options?: RequestOptions): Promise<number>;
  /** The user who asks. */
  me<
    const Listed extends Fields<DocumentOf<Uid>, "client"> = "*",
    const Populated extends Populate<DocumentOf<Uid>, "client"> = Unpopulated<DocumentOf<Uid>, "client">,
  >(
    query?: UserQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>, "client">>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated>>;
  /** Null when there is no such user. */
  findOne<
    const Listed extends Fields<DocumentOf<Uid>, "client"> = "*",
    const Populated extends Populate<DocumentOf<Uid>, "client"> = Unpopulated<DocumentOf<Uid>, "client">,
  >(
    id: number,
    query?: UserQuery<Listed, KnownPopulate<Populated, DocumentOf<Uid>, "client">>,
    options?: RequestOptions,
  ): Promise<Shown<Uid, Listed, Populated> | null>;
  create(user: NewUser<Uid>, options?: RequestOptions): Promise<WrittenUser<Uid>>;
  update(id: number, changes: Partial<InputOf<Uid>>, options?: RequestOptions): Promise<WrittenUser<Uid>>;
  /** Answers with the user who was there, or null. */
  delete(id: number, options?: RequestOptions): Promise<UserOf<Uid> | null>;
}

const one = (id: number): string => `/users/${segment(id)}`;

/** `/users`, of this content type. */
export const users =
  <Uid extends KnownUid>(): Part<Users<Uid>> =>
  ({ request }) => ({
    find: async (query, options) => request("GET", "/users", { query: shown(query), options }),
    count: async (query, options) => request("GET", "/users/count", { query: shown(query), options }),
    me: async (query, options) => request("GET", "/users/me", { query: shown(query), options }),
    findOne: async (id, query, options) => (await request("GET", one(id), { query: shown(query), options })) ?? null,
    create: async (user, options) => request("POST", "/users", { body: user, options }),
    update: async (id, changes, options) => request("PUT", one(id), { body: changes, options }),
    delete: async (id, options) => (await request("DELETE", one(id), { options })) ?? null,
  });
