import { Button } from "@mantine/core";
import { type ContentType, useModel } from "../api/description.ts";
import { act, type Document, removeDocument } from "../api/documents.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { DeleteButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { useBulkTask } from "../ui/task.ts";

interface Props {
  readonly type: ContentType;
  readonly rows: readonly Document[];
  readonly locale: string | undefined;
  clear(): void;
}

/** The actions on the selected rows of a list. */
export const DocumentsBulkBar = ({ type, rows, locale, clear }: Props) => {
  const t = useText();
  const model = useModel();
  const { confirm, confirmDeletion, dialog } = useConfirm();
  const { isBusy, run } = useBulkTask(["list", type.uid]);
  const may = (action: string): boolean => model.canIn(`${type.uid}.${action}`, locale);
  const count = documentsIn(t, rows.length);
  const all = async (work: (document: Document) => Promise<unknown>): Promise<void> => {
    if (await run(rows, work)) clear();
  };
  const does = (action: string) => () => void all((row) => act(type, row.documentId, action, locale));
  const unpublish = () => confirm(t("confirm.unpublish", { count }), t("action.unpublish"), does("unpublish"));
  const remove = () =>
    // The list shows one language: the others stay, as they do when a single document is deleted.
    confirmDeletion(count, () => all((row) => removeDocument(type, row.documentId, locale)));
  return (
    <BulkBar count={rows.length} clear={clear}>
      {type.draftAndPublish && may("publish") ? (
        <Button size="xs" variant="default" loading={isBusy} onClick={does("publish")}>
          {t("action.publish")}
        </Button>
      ) : null}
      {type.draftAndPublish && may("unpublish") ? (
        <Button size="xs" variant="default" disabled={isBusy} onClick={unpublish}>
          {t("action.unpublish")}
        </Button>
      ) : null}
      {may("delete") ? <DeleteButton size="xs" disabled={isBusy} onClick={remove} /> : null}
      {dialog}
    </BulkBar>
  );
};
