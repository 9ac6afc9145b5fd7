/** Reading what the routes for whoever runs the server list. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { send } from "./client.ts";

/** The records at a path. */
export const useRecords = <Item>(key: string, path: string) =>
  useQuery({
    queryKey: [key],
    queryFn: async () => (await send<{ data: readonly Item[] }>("GET", path)).data,
  });

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly next: string | null };
}

/** The records at a path, the newest first, page by page. */
export const useLog = <Item>(
  key: string,
  path: string,
  filters: Readonly<Record<string, string>>,
  refetchInterval: number | false = false,
) =>
  useInfiniteQuery({
    queryKey: [key, filters],
    queryFn: ({ pageParam: after }) =>
      send<Page<Item>>("GET", path, { query: { limit: 25, ...filters, ...(after === "" ? {} : { after }) } }),
    initialPageParam: "",
    refetchInterval,
    getNextPageParam: ({ meta }) => meta.next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });
