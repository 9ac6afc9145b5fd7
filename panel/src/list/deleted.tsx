/** The deleted documents of a type with history, to be restored. */
import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { VersionInfo } from "galley-cms/client";
import { type ContentType, titleOf, useModel } from "../api/description.ts";
import { readDeleted, readVersion, restoreVersion } from "../api/versions.ts";
import { useLanguage } from "../i18n/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { tell } from "../ui/notify.ts";
import { Name } from "../ui/rows.tsx";
import { Empty, Loaded, LoadingRows } from "../ui/states.tsx";
import { useTask } from "../ui/task.ts";
import { longTime } from "../ui/time.ts";

interface ItemProps {
  readonly type: ContentType;
  readonly version: VersionInfo;
}

const DeletedItem = ({ type, version }: ItemProps) => {
  const { t, language } = useLanguage();
  const model = useModel();
  const run = useTask(["deleted", type.uid], ["list", type.uid]);
  const { data: document } = useQuery({
    queryKey: ["deleted", type.uid, version.id],
    queryFn: () => readVersion(type, version),
    retry: false,
  });
  const title = document ? (titleOf(type.attributes, document) ?? t("edit.untitled")) : version.documentId;
  const restore = () =>
    run(undefined, async () => {
      const gone = await restoreVersion(type, version.documentId, version.id);
      tell(gone.length === 0 ? t("edit.restored") : t("history.gone", { n: gone.length }));
    });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Name name={title} note={[longTime(version.at, language), version.locale].filter(Boolean).join(" · ")} />
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

export const DeletedDialog = ({ type, close }: { readonly type: ContentType; close(): void }) => {
  const { t } = useLanguage();
  const query = useQuery({ queryKey: ["deleted", type.uid], queryFn: () => readDeleted(type), staleTime: 0 });
  return (
    <Dialog close={close} title={t("list.deleted")}>
      <Loaded query={query} loading={<LoadingRows rows={3} />}>
        {(versions) =>
          versions.length === 0 ? (
            <Empty icon="trash" title={t("list.noneDeleted")} />
          ) : (
            <Stack gap="sm">
              {versions.map((version) => (
                <DeletedItem key={version.id} type={type} version={version} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Dialog>
  );
};
