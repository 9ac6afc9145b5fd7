import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FileBrowser, useFileSearch } from "./browser.tsx";
import { DropArea } from "./drop-area.tsx";
import type { MediaFile } from "./thumbnail.tsx";
import { useUpload } from "./upload.ts";
import { Uploading } from "./uploading.tsx";

interface Props {
  readonly many: boolean;
  readonly allowed: readonly string[];
  close(): void;
  choose(files: readonly MediaFile[]): void;
}

/** Chooses files from the library, or uploads them into the folder that it shows. */
export const LibraryDialog = ({ many, allowed, close, choose }: Props) => {
  const t = useText();
  const mayUpload = useModel().can("plugin::upload.content-api.upload");
  const [folder, setFolder] = useState<number | null>(null);
  const found = useFileSearch(allowed, folder);
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
  const { upload, ...uploading } = useUpload(
    (files) => (many ? setChosen([...chosen, ...files]) : done(files.slice(-1))),
    folder,
  );
  return (
    <Dialog close={close} title={t("media.used")} size="xl">
      <DropArea disabled={!mayUpload} multiple={many} drop={upload}>
        {(browse) => (
          <Stack>
            <FileBrowser
              found={found}
              autofocus
              chosen={new Set(chosen.map(({ id }) => id))}
              choose={pick}
              go={setFolder}
              notes={<Uploading {...uploading} />}
              controls={
                mayUpload ? (
                  <ActionButton icon="upload" variant="default" loading={uploading.isBusy} onClick={browse}>
                    {t("media.upload")}
                  </ActionButton>
                ) : null
              }
            />
            {many ? (
              <Group justify="flex-end">
                <Button disabled={chosen.length === 0} onClick={() => done(chosen)}>
                  {t("field.choose")} ({chosen.length})
                </Button>
              </Group>
            ) : null}
          </Stack>
        )}
      </DropArea>
    </Dialog>
  );
};
