/** The deleted documents of a type with history, to be restored. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { VersionInfo } from "galley-cms/client";
import { type ContentType, titleOf, useModel } from "../api/description.ts";
import { readDeleted, readVersion, restoreVersion } from "../api/versions.ts";
import { useLanguage } from "../i18n/index.ts";
import { tell, tellError } from "../ui/notify.ts";
import { Empty, Failed, LoadingRows } from "../ui/states.tsx";
import { longTime } from "../ui/time.ts";

interface ItemProps {
  readonly type: ContentType;
  readonly version: VersionInfo;
}

const DeletedItem = ({ type, version }: ItemProps) => {
  const { t, language } = useLanguage();
  const model = useModel();
  const queries = useQueryClient();
  const { data: document } = useQuery({
    queryKey: ["deleted", type.uid, version.id],
    queryFn: () => readVersion(type, version),
    retry: false,
  });
  const title = document ? (titleOf(type.attributes, document) ?? t("edit.untitled")) : version.documentId;
  const restore = async (): Promise<void> => {
    try {
      const gone = await restoreVersion(type, version.documentId, version.id);
      tell(gone.length === 0 ? t("edit.restored") : t("history.gone", { n: gone.length }));
      await Promise.all(["deleted", "list"].map((key) => queries.invalidateQueries({ queryKey: [key, type.uid] })));
    } catch (error) {
      tellError(t, error);
    }
  };
  return (
    <Group justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {[longTime(version.at, language), version.locale].filter(Boolean).join(" · ")}
        </Text>
      </div>
      {model.canIn(`${type.uid}.restoreVersion`, version.locale ?? undefined) ? (
        <Button
          size="xs"
          variant="default"
          aria-label={`${t("edit.restore")}: ${title}`}
          onClick={() => void restore()}
        >
          {t("edit.restore")}
        </Button>
      ) : null}
    </Group>
  );
};

export const DeletedDialog = ({ type, close }: { readonly type: ContentType; readonly close: () => void }) => {
  const { t } = useLanguage();
  const { data, error, refetch } = useQuery({
    queryKey: ["deleted", type.uid],
    queryFn: () => readDeleted(type),
    staleTime: 0,
  });
  return (
    <Modal opened onClose={close} title={t("list.deleted")} closeButtonProps={{ "aria-label": t("action.close") }}>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <LoadingRows rows={3} /> : null}
      {data?.length === 0 ? <Empty icon="trash" title={t("list.noneDeleted")} /> : null}
      <Stack gap="sm">
        {data?.map((version) => (
          <DeletedItem key={version.id} type={type} version={version} />
        ))}
      </Stack>
    </Modal>
  );
};
