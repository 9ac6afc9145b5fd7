import { useState } from "react";
import { client } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ActionButton, DeleteButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { useBulkTask } from "../ui/task.ts";
import { MoveDialog } from "./folders.tsx";

interface Props {
  readonly ids: ReadonlySet<number>;
  clear(): void;
}

/** What can be done with the chosen files. */
export const FilesBulkBar = ({ ids, clear }: Props) => {
  const t = useText();
  const { confirmDeletion, dialog } = useConfirm();
  const [isMoving, setMoving] = useState(false);
  const model = useModel();
  const { isBusy, run } = useBulkTask(["files"]);
  const remove = async (): Promise<void> => {
    await run([...ids], (id) => client.files.delete(id));
    clear();
  };
  return (
    <BulkBar count={ids.size} clear={clear}>
      {model.can("plugin::upload.folder.change") ? (
        <ActionButton
          icon="folder"
          size="xs"
          variant="default"
          disabled={ids.size === 0}
          onClick={() => setMoving(true)}
        >
          {t("folder.move")}
        </ActionButton>
      ) : null}
      {model.can("plugin::upload.content-api.destroy") ? (
        <DeleteButton
          size="xs"
          loading={isBusy}
          disabled={ids.size === 0}
          onClick={() => confirmDeletion(t("count.files", { n: ids.size }), remove)}
        />
      ) : null}
      {isMoving ? <MoveDialog files={[...ids]} close={() => setMoving(false)} stored={clear} /> : null}
      {dialog}
    </BulkBar>
  );
};
