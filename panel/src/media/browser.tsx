/** The files of the library: searched, in pages, as tiles. */
import { Pagination } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { useText } from "../i18n/index.ts";
import { SearchInput } from "../ui/search-input.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { useFiles } from "./files.ts";
import type { MediaFile } from "./thumbnail.tsx";
import { LoadingTiles, Tiles } from "./tiles.tsx";

/**
 * A search among the files of some types; of no types, among all. As long as nothing is searched for, it finds those of
 * a folder, if there is one.
 */
export const useFileSearch = (allowed: readonly string[], folder?: number | "top") => {
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [page, setPage] = useState(1);
  const query = useFiles({ page, search: settled, allowed, within: settled === "" ? folder : undefined });
  return {
    query,
    search,
    settled,
    page,
    setPage,
    searchFor(text: string) {
      setSearch(text);
      setPage(1);
    },
  };
};

interface Props {
  readonly found: ReturnType<typeof useFileSearch>;
  readonly chosen: ReadonlySet<number>;
  readonly autofocus?: boolean;
  /** Beside the search. */
  readonly controls?: ReactNode;
  /** Above the files. */
  readonly notes?: ReactNode;
  choose(file: MediaFile): void;
}

export const FileBrowser = ({ found, chosen, autofocus, controls, notes, choose }: Props) => {
  const t = useText();
  const { query, search, settled, page, setPage, searchFor } = found;
  return (
    <>
      <div className="controls">
        <SearchInput value={search} autofocus={autofocus} search={searchFor} />
        {controls}
      </div>
      {notes}
      <Loaded query={query} loading={<LoadingTiles />}>
        {({ data }) =>
          data.length > 0 ? (
            <Tiles files={data} chosen={chosen} choose={choose} />
          ) : settled === "" ? (
            <Empty icon="image" title={t("media.empty")} text={t("media.emptyText")} />
          ) : (
            <Empty icon="search" title={t("list.nothing")} />
          )
        }
      </Loaded>
      <Pagination
        size="sm"
        total={query.data?.meta.pagination.pageCount ?? 1}
        value={page}
        onChange={setPage}
        hideWithOnePage
        getControlProps={(control) => ({ "aria-label": t(control === "previous" ? "page.previous" : "page.next") })}
      />
    </>
  );
};
