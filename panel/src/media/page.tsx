/** The media library: lists, uploads and describes files. */
import { Drawer, Progress, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { toggled } from "../list/chosen.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Frame } from "../ui/frame.tsx";
import { FileBrowser, useFileSearch } from "./browser.tsx";
import { FilesBulkBar } from "./bulk.tsx";
import { DropArea } from "./drop-area.tsx";
import { FileForm } from "./file-form.tsx";
import { FolderBar, useFolders } from "./folders.tsx";
import type { MediaFile } from "./thumbnail.tsx";
import { useUpload } from "./upload.ts";

const Uploading = ({ waiting, share }: { readonly waiting: number; readonly share: number }) => {
  const t = useText();
  return (
    <Stack gap={4} role="status">
      <Text size="sm">{t("media.uploading", { n: waiting })}</Text>
      <Progress value={share} aria-label={t("media.upload")} />
    </Stack>
  );
};

const KINDS = ["", "images", "videos", "audios"] as const;

const KindSelect = ({ kind, choose }: { readonly kind: string; readonly choose: (kind: string) => void }) => {
  const t = useText();
  return (
    <Select
      w={160}
      aria-label={t("media.kind")}
      value={kind}
      allowDeselect={false}
      data={KINDS.map((value) => ({ value, label: t(`media.kind.${value || "all"}`) }))}
      onChange={(next) => choose(next ?? "")}
    />
  );
};

export const MediaPage = () => {
  const t = useText();
  const model = useModel();
  const mayUpload = model.can("plugin::upload.content-api.upload");
  const [params, setParams] = useSearchParams();
  const folders = useFolders();
  const folder = Number(params.get("folder")) || null;
  const [open, setOpen] = useState<MediaFile>();
  const [kind, setKind] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<number>>();
  const found = useFileSearch(
    kind === "" ? [] : [kind],
    model.can("plugin::upload.folder.list") ? (folder ?? "top") : undefined,
  );
  const { upload, isBusy, waiting, share } = useUpload(() => found.setPage(1), folder);
  const total = found.query.data?.meta.pagination.total;
  return (
    <DropArea disabled={!mayUpload} multiple drop={upload}>
      {(browse) => (
        <Frame
          title={t("media.library")}
          text={total === undefined ? "" : t("count.files", { n: total })}
          width={1280}
          action={
            mayUpload ? (
              <ActionButton icon="upload" loading={isBusy} onClick={browse}>
                {t("media.upload")}
              </ActionButton>
            ) : undefined
          }
        >
          <FileBrowser
            found={found}
            chosen={chosen ?? new Set(open ? [open.id] : [])}
            choose={(file) => (chosen ? setChosen(toggled(chosen, file.id)) : setOpen(file))}
            controls={
              <>
                <KindSelect
                  kind={kind}
                  choose={(next) => {
                    setKind(next);
                    found.setPage(1);
                  }}
                />
                {chosen ? null : (
                  <ActionButton icon="check" variant="default" onClick={() => setChosen(new Set())}>
                    {t("media.select")}
                  </ActionButton>
                )}
              </>
            }
            notes={
              <>
                <FolderBar
                  folders={folders}
                  open={folder}
                  go={(next) => {
                    setParams(next === null ? {} : { folder: String(next) });
                    found.setPage(1);
                  }}
                />
                {chosen ? <FilesBulkBar ids={chosen} clear={() => setChosen(undefined)} /> : null}
                {isBusy ? <Uploading waiting={waiting} share={share} /> : null}
              </>
            }
          />
          <Drawer
            opened={open !== undefined}
            onClose={() => setOpen(undefined)}
            position="right"
            title={t("media.details")}
            closeButtonProps={{ "aria-label": t("action.close") }}
          >
            {open ? <FileForm key={open.id} file={open} close={() => setOpen(undefined)} /> : null}
          </Drawer>
        </Frame>
      )}
    </DropArea>
  );
};
