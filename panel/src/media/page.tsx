/** The media library: lists, uploads and describes files. */
import { Button, Drawer, Group, Pagination, Progress, Select, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { Icon } from "../ui/icons.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Empty, Failed } from "../ui/states.tsx";
import { BulkBar } from "./bulk.tsx";
import { DropArea } from "./drop-area.tsx";
import { FileForm } from "./file-form.tsx";
import { useFiles } from "./files.ts";
import type { MediaFile } from "./thumbnail.tsx";
import { Tiles } from "./tiles.tsx";
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

const toggled = (ids: ReadonlySet<number>, id: number): ReadonlySet<number> => {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
};

export const MediaPage = () => {
  const t = useText();
  const model = useModel();
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 250);
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<MediaFile>();
  const [kind, setKind] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<number>>();
  const { data, error, refetch } = useFiles({ page, search: settled, allowed: kind === "" ? [] : [kind] });
  const { upload, isBusy, waiting, share } = useUpload(() => setPage(1));
  const searchFor = (text: string): void => {
    setSearch(text);
    setPage(1);
  };
  const mayUpload = model.can("plugin::upload.content-api.upload");
  return (
    <DropArea disabled={!mayUpload} multiple drop={upload}>
      {(browse) => (
        <Stack gap="md" p={{ base: "md", md: "xl" }} maw={1280} mx="auto" mih="80vh">
          <Group justify="space-between" align="flex-start">
            <div>
              <Title order={1}>{t("media.library")}</Title>
              <Text c="dimmed" size="sm" mih="1.4em">
                {data ? t("count.files", { n: data.meta.pagination.total }) : ""}
              </Text>
            </div>
            {mayUpload ? (
              <Button leftSection={<Icon name="upload" />} loading={isBusy} onClick={browse}>
                {t("media.upload")}
              </Button>
            ) : null}
          </Group>
          <Group gap="sm">
            <SearchInput value={search} search={searchFor} />
            <KindSelect
              kind={kind}
              choose={(next) => {
                setKind(next);
                setPage(1);
              }}
            />
            {chosen ? null : (
              <Button variant="default" leftSection={<Icon name="check" />} onClick={() => setChosen(new Set())}>
                {t("media.select")}
              </Button>
            )}
          </Group>
          {chosen ? <BulkBar ids={chosen} clear={() => setChosen(undefined)} /> : null}
          {isBusy ? <Uploading waiting={waiting} share={share} /> : null}
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {data?.data.length === 0 ? (
            <div className="surface">
              <Empty
                icon={settled === "" ? "image" : "search"}
                title={t(settled === "" ? "media.empty" : "list.nothing")}
                text={settled === "" ? t("media.emptyText") : undefined}
              />
            </div>
          ) : null}
          <Tiles
            files={error ? [] : data?.data}
            chosen={chosen ?? new Set(open ? [open.id] : [])}
            choose={(file) => (chosen ? setChosen(toggled(chosen, file.id)) : setOpen(file))}
          />
          <Pagination
            size="sm"
            total={data?.meta.pagination.pageCount ?? 1}
            value={page}
            onChange={setPage}
            hideWithOnePage
            getControlProps={(control) => ({ "aria-label": t(control === "previous" ? "page.previous" : "page.next") })}
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
        </Stack>
      )}
    </DropArea>
  );
};
