/** The media library: lists, uploads and describes files. */
import { Drawer, Select } from "@mantine/core";
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
import type { MediaFile } from "./thumbnail.tsx";
import { useUpload } from "./upload.ts";
import { Uploading } from "./uploading.tsx";

const KINDS = ["", "images", "videos", "audios"] as const;

const KindSelect = ({ kind, choose }: { readonly kind: string; choose(kind: string): void }) => {
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
  const folder = Number(params.get("folder")) || null;
  const [open, setOpen] = useState<MediaFile>();
  const [kind, setKind] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<number>>();
  const found = useFileSearch(kind === "" ? [] : [kind], folder);
  const { upload, ...uploading } = useUpload(() => found.setPage(1), folder);
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
              <ActionButton icon="upload" loading={uploading.isBusy} onClick={browse}>
                {t("media.upload")}
              </ActionButton>
            ) : undefined
          }
        >
          <FileBrowser
            found={found}
            managed
            go={(next) => setParams(next === null ? {} : { folder: String(next) })}
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
                {chosen ? <FilesBulkBar ids={chosen} clear={() => setChosen(undefined)} /> : null}
                <Uploading {...uploading} />
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
            {open ? <FileForm key={open.id} file={open} folder={folder} close={() => setOpen(undefined)} /> : null}
          </Drawer>
        </Frame>
      )}
    </DropArea>
  );
};
