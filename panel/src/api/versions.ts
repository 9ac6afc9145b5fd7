/** The stored versions of a document, for types with history. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { GonePart, VersionDifference, VersionInfo } from "galley-cms/client";
import { send } from "./client.ts";
import { type ContentType, type Model, useModel } from "./description.ts";
import { type Document, type Envelope, pathOf, populateAll } from "./documents.ts";

interface VersionPage {
  readonly data: readonly VersionInfo[];
  readonly meta: { readonly pagination: { readonly page: number; readonly pageCount: number } };
}

const versionsPath = (type: ContentType, documentId: string): string => `${pathOf(type, documentId)}/versions`;

/** The versions of a document in one language, newest first. */
export const useStoredVersions = (type: ContentType, documentId: string, locale: string | undefined) =>
  useInfiniteQuery({
    queryKey: ["document", type.uid, documentId, "versions", locale],
    queryFn: ({ pageParam }) =>
      send<VersionPage>("GET", versionsPath(type, documentId), {
        query: { ...(locale === undefined ? {} : { locale }), pagination: { page: pageParam, pageSize: 20 } },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ meta: { pagination } }) =>
      pagination.page < pagination.pageCount ? pagination.page + 1 : undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

/** How a version differs from the document as it is now. */
export const useVersionDifference = (type: ContentType, documentId: string, version: number) => {
  const model = useModel();
  return useQuery({
    queryKey: ["document", type.uid, documentId, "difference", version],
    queryFn: async () => {
      const query = { populate: populateAll(model, type.attributes) };
      const path = `${versionsPath(type, documentId)}/${version}/difference`;
      return (await send<{ data: readonly VersionDifference[] }>("GET", path, { query })).data;
    },
  });
};

/** The last versions of deleted documents and languages: the newest hundred. */
export const readDeleted = async (type: ContentType): Promise<readonly VersionInfo[]> => {
  const query = { ...(type.draftAndPublish ? { status: "draft" } : {}), pagination: { pageSize: 100 } };
  return (await send<VersionPage>("GET", `${pathOf(type)}/versions/deleted`, { query })).data;
};

/** The document as it was in a version. */
export const readVersion = async (type: ContentType, { documentId, id }: VersionInfo): Promise<Document> =>
  (await send<Envelope>("GET", `${versionsPath(type, documentId)}/${id}`)).data;

/** Restores a version as the draft. Returns the parts that the project no longer has. */
export const restoreVersion = async (
  type: ContentType,
  documentId: string,
  version: number,
): Promise<readonly GonePart[]> => {
  const path = `${versionsPath(type, documentId)}/${version}/restore`;
  return (await send<{ meta: { gone?: readonly GonePart[] } }>("POST", path, { body: {} })).meta.gone ?? [];
};

/** The names of users, by id, as far as the caller may read them. */
export const useUserNames = (model: Model, ids: readonly number[]) => {
  const unknown = [...new Set(ids)].sort((a, b) => a - b);
  return useQuery({
    queryKey: ["user-names", unknown],
    enabled: unknown.length > 0 && model.can("plugin::users-permissions.user.find"),
    staleTime: 60_000,
    queryFn: async () => {
      const query = { filters: { id: { $in: unknown } }, fields: ["username"] };
      const users = await send<readonly { id: number; username: string }[]>("GET", "/users", { query });
      return new Map(users.map(({ id, username }) => [id, username]));
    },
  });
};
