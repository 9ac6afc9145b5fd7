import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { send } from "../api/client.ts";
import type { MediaFile } from "./thumbnail.tsx";

export interface FilesPage {
  readonly data: readonly MediaFile[];
  readonly meta: {
    readonly pagination: {
      readonly page: number;
      readonly pageSize: number;
      readonly pageCount: number;
      readonly total: number;
    };
  };
}

const KINDS: Readonly<Record<string, string>> = { images: "image/", videos: "video/", audios: "audio/" };

/** The filter for a search among files of the types that an attribute allows. */
const filterOf = (allowed: readonly string[], search: string): object => {
  const kinds = allowed.flatMap((name) => KINDS[name] ?? []);
  const isNarrow = kinds.length > 0 && kinds.length === allowed.length;
  const named =
    search === ""
      ? []
      : [{ $or: ["name", "alternativeText", "caption"].map((field) => ({ [field]: { $containsi: search } })) }];
  return { $and: [...named, ...(isNarrow ? [{ $or: kinds.map((kind) => ({ mime: { $startsWith: kind } })) }] : [])] };
};

/** A page of files, the newest first. */
export const useFiles = (query: {
  readonly page: number;
  readonly search: string;
  readonly allowed?: readonly string[];
  /** The folder whose files are meant; by default those of all. */
  readonly within?: number | "top" | undefined;
}) =>
  useQuery({
    queryKey: ["files", query],
    queryFn: () =>
      send<FilesPage>("GET", query.within ? `/upload/folders/${query.within}/files` : "/upload/files/page", {
        query: {
          filters: filterOf(query.allowed ?? [], query.search),
          sort: "createdAt:desc",
          pagination: { page: query.page, pageSize: 24 },
        },
      }),
    placeholderData: keepPreviousData,
  });
