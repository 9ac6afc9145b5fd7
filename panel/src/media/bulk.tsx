import { client } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ActionButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { useBulkTask } from "../ui/task.ts";

interface Props {
  readonly ids: ReadonlySet<number>;
  clear(): void;
}

/** What can be done with the chosen files. */
export const FilesBulkBar = ({ ids, clear }: Props) => {
  const t = useText();
  const { confirm, dialog } = useConfirm();
  const { isBusy, run } = useBulkTask(["files"]);
  const remove = async (): Promise<void> => {
    await run([...ids], (id) => client.files.delete(id));
    clear();
  };
  const ask = () =>
    confirm(t("confirm.delete", { count: t("count.files", { n: ids.size }) }), t("action.delete"), () => void remove());
  return (
    <BulkBar count={ids.size} clear={clear}>
      {useModel().can("plugin::upload.content-api.destroy") ? (
        <ActionButton
          icon="trash"
          size="xs"
          variant="light"
          color="red"
          loading={isBusy}
          disabled={ids.size === 0}
          onClick={ask}
        >
          {t("action.delete")}
        </ActionButton>
      ) : null}
      {dialog}
    </BulkBar>
  );
};
