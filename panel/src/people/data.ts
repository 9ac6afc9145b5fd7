/** Users and roles, through the routes that every server has. */
import { useQuery } from "@tanstack/react-query";
import { send } from "../api/client.ts";

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly blocked: boolean | null;
  readonly role?: { readonly id: number; readonly name: string; readonly type: string } | null;
}

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly nb_users: number;
}

/** A link with which a user sets a password, at the address at which this page was opened. */
export interface Invitation {
  readonly link: string;
  readonly isMailed: boolean;
}

export const invite = async ({ id }: Pick<Person, "id">): Promise<Invitation> => {
  const { link, isMailed } = (await send<{ data: Invitation }>("POST", `/users/${id}/invitation`)).data;
  const { pathname, hash } = new URL(link);
  return { link: `${window.location.origin}${pathname}${hash}`, isMailed };
};

/** Most users that are shown. */
export const MOST = 100;

export const usePeople = (search: string) =>
  useQuery({
    queryKey: ["people", search],
    queryFn: () =>
      send<readonly Person[]>("GET", "/users", {
        query: {
          populate: { role: { fields: ["name", "type"] } },
          sort: "username",
          ...(search === ""
            ? {}
            : { filters: { $or: [{ username: { $containsi: search } }, { email: { $containsi: search } }] } }),
          pagination: { limit: MOST },
        },
      }),
    placeholderData: (before) => before,
  });

export const useRoles = (enabled: boolean) =>
  useQuery({
    queryKey: ["roles"],
    queryFn: async () => (await send<{ roles: readonly Role[] }>("GET", "/users-permissions/roles")).roles,
    enabled,
  });

/** The roles that a user can have, as choices. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.filter(({ type }) => type !== "public").map(({ id, name }) => ({ value: String(id), label: name }));
