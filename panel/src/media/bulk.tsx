import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";

interface Props {
  readonly ids: ReadonlySet<number>;
  clear(): void;
}

/** What can be done with the chosen files. */
export const BulkBar = ({ ids, clear }: Props) => {
  const t = useText();
  const model = useModel();
  const queries = useQueryClient();
  const { confirm, dialog } = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const results = await Promise.allSettled([...ids].map((id) => client.files.delete(id)));
    setBusy(false);
    const failed = results.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") tellError(t, failed.reason);
    tell(t("list.bulkDone", { done: results.filter(({ status }) => status === "fulfilled").length, all: ids.size }));
    await queries.invalidateQueries({ queryKey: ["files"] });
    clear();
  };
  return (
    <Group className="surface" p="xs" role="toolbar" aria-label={t("count.selected", { n: ids.size })}>
      <Text size="sm" fw={550} px="xs">
        {t("count.selected", { n: ids.size })}
      </Text>
      {model.can("plugin::upload.content-api.destroy") ? (
        <Button
          size="xs"
          variant="light"
          color="red"
          loading={isBusy}
          disabled={ids.size === 0}
          leftSection={<Icon name="trash" size={14} />}
          onClick={() =>
            confirm(
              t("confirm.delete", { count: t("count.files", { n: ids.size }) }),
              t("action.delete"),
              () => void remove(),
            )
          }
        >
          {t("action.delete")}
        </Button>
      ) : null}
      <Button size="xs" variant="subtle" ml="auto" onClick={clear}>
        {t("action.cancel")}
      </Button>
      {dialog}
    </Group>
  );
};
