/** The files of the library: searched, in pages, as tiles. */
import { Pagination } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { SearchInput } from "../ui/search-input.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { useFiles } from "./files.ts";
import { FolderBar } from "./folders.tsx";
import type { MediaFile } from "./thumbnail.tsx";
import { LoadingTiles, Tiles } from "./tiles.tsx";

/**
 * A search among the files of some types; of no types, among all. As long as nothing is searched for, it finds those of
 * a folder, if there are folders; null is the top.
 */
export const useFileSearch = (allowed: readonly string[], folder: number | null) => {
  const hasFolders = useModel().can("plugin::upload.folder.list");
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [page, setPage] = useState(1);
  const query = useFiles({
    page,
    search: settled,
    allowed,
    within: hasFolders && settled === "" ? (folder ?? "top") : undefined,
  });
  return {
    query,
    search,
    settled,
    folder,
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
  /** Whether folders can be changed here. */
  readonly managed?: boolean;
  /** Beside the search. */
  readonly controls?: ReactNode;
  /** Above the files. */
  readonly notes?: ReactNode;
  choose(file: MediaFile): void;
  /** Opens a folder; null is the top. */
  go(folder: number | null): void;
}

export const FileBrowser = ({ found, chosen, managed = false, autofocus, controls, notes, choose, go }: Props) => {
  const t = useText();
  const { query, search, settled, folder, page, setPage, searchFor } = found;
  return (
    <>
      <div className="controls">
        <SearchInput value={search} autofocus={autofocus} search={searchFor} />
        {controls}
      </div>
      <FolderBar
        managed={managed}
        open={folder}
        go={(next) => {
          go(next);
          setPage(1);
        }}
      />
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
