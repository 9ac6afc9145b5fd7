import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ContentType, useModel } from "../api/description.ts";
import { act, type Document, removeDocument } from "../api/documents.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";

interface Props {
  readonly type: ContentType;
  readonly rows: readonly Document[];
  readonly locale: string | undefined;
  clear(): void;
}

/** The actions on the selected rows of a list. */
export const BulkBar = ({ type, rows, locale, clear }: Props) => {
  const t = useText();
  const model = useModel();
  const queries = useQueryClient();
  const { confirm, dialog } = useConfirm();
  const [isBusy, setBusy] = useState(false);
  const may = (action: string): boolean => model.canIn(`${type.uid}.${action}`, locale);
  const count = documentsIn(t, rows.length);

  const run = async (work: (document: Document) => Promise<unknown>): Promise<void> => {
    setBusy(true);
    let done = 0;
    let fault: unknown;
    for (const row of rows) {
      try {
        await work(row);
        done += 1;
      } catch (error) {
        fault = error;
      }
    }
    setBusy(false);
    await queries.invalidateQueries({ queryKey: ["list", type.uid] });
    if (fault !== undefined) tellError(t, fault);
    tell(t("list.bulkDone", { done, all: rows.length }));
    if (fault === undefined) clear();
  };
  const does = (action: string) => () => void run((row) => act(type, row.documentId, action, locale));

  return (
    <Group
      px="md"
      py="xs"
      gap="xs"
      style={{ borderBottom: "1px solid var(--panel-line)" }}
      role="toolbar"
      aria-label={t("count.selected", { n: rows.length })}
    >
      <Text size="sm" fw={550} mr="sm">
        {t("count.selected", { n: rows.length })}
      </Text>
      {type.draftAndPublish && may("publish") ? (
        <Button size="xs" variant="default" loading={isBusy} onClick={does("publish")}>
          {t("action.publish")}
        </Button>
      ) : null}
      {type.draftAndPublish && may("unpublish") ? (
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          onClick={() => confirm(t("confirm.unpublish", { count }), t("action.unpublish"), does("unpublish"))}
        >
          {t("action.unpublish")}
        </Button>
      ) : null}
      {may("delete") ? (
        <Button
          size="xs"
          variant="light"
          color="red"
          disabled={isBusy}
          leftSection={<Icon name="trash" size={14} />}
          onClick={() =>
            confirm(
              t("confirm.delete", { count }),
              t("action.delete"),
              // The list shows one language: the others stay, as they do when a single document is deleted.
              () => void run((row) => removeDocument(type, row.documentId, locale)),
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
