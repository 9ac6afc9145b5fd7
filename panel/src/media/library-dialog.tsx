import { Button, Group, Modal, Pagination, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useText } from "../i18n/index.ts";
import { SearchInput } from "../ui/search-input.tsx";
import { Empty, Failed } from "../ui/states.tsx";
import { useFiles } from "./files.ts";
import type { MediaFile } from "./thumbnail.tsx";
import { Tiles } from "./tiles.tsx";

interface Props {
  readonly many: boolean;
  readonly allowed: readonly string[];
  close(): void;
  choose(files: readonly MediaFile[]): void;
}

/** Chooses files from the library. */
export const LibraryDialog = ({ many, allowed, close, choose }: Props) => {
  const t = useText();
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<readonly MediaFile[]>([]);
  const { data, error } = useFiles({ page, search: settled, allowed });
  const done = (files: readonly MediaFile[]): void => {
    choose(files);
    close();
  };
  const pick = (file: MediaFile): void => {
    if (!many) return done([file]);
    const isChosen = chosen.some(({ id }) => id === file.id);
    setChosen(isChosen ? chosen.filter(({ id }) => id !== file.id) : [...chosen, file]);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("media.used")}
      size="xl"
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      <Stack>
        <SearchInput
          value={search}
          autofocus
          search={(text) => {
            setSearch(text);
            setPage(1);
          }}
        />
        {error ? <Failed error={error} /> : null}
        {data?.data.length === 0 ? <Empty icon="image" title={t("media.empty")} text={t("media.emptyText")} /> : null}
        <Tiles files={error ? [] : data?.data} chosen={new Set(chosen.map(({ id }) => id))} choose={pick} />
        <Group justify="space-between">
          <Pagination
            size="sm"
            total={data?.meta.pagination.pageCount ?? 1}
            value={page}
            onChange={setPage}
            hideWithOnePage
          />
          {many ? (
            <Button ml="auto" disabled={chosen.length === 0} onClick={() => done(chosen)}>
              {t("field.choose")} ({chosen.length})
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Modal>
  );
};
