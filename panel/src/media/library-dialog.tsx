import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useText } from "../i18n/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FileBrowser, useFileSearch } from "./browser.tsx";
import type { MediaFile } from "./thumbnail.tsx";

interface Props {
  readonly many: boolean;
  readonly allowed: readonly string[];
  close(): void;
  choose(files: readonly MediaFile[]): void;
}

/** Chooses files from the library. */
export const LibraryDialog = ({ many, allowed, close, choose }: Props) => {
  const t = useText();
  const found = useFileSearch(allowed);
  const [chosen, setChosen] = useState<readonly MediaFile[]>([]);
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
    <Dialog close={close} title={t("media.used")} size="xl">
      <Stack>
        <FileBrowser found={found} autofocus chosen={new Set(chosen.map(({ id }) => id))} choose={pick} />
        {many ? (
          <Group justify="flex-end">
            <Button disabled={chosen.length === 0} onClick={() => done(chosen)}>
              {t("field.choose")} ({chosen.length})
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Dialog>
  );
};
