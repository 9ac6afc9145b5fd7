import { Menu } from "@mantine/core";
import { useModel } from "../api/description.ts";
import type { Document } from "../api/documents.ts";
import type { Place } from "../edit/document.ts";
import { tell } from "../ui/notify.ts";
import { useTask } from "../ui/task.ts";
import { useExtensions, usePanel } from "./context.ts";

interface Props {
  readonly place: Place;
  readonly document: Document;
}

/** The project's own actions on a document, as items of a menu. */
export const OwnActions = ({ place: { type, locale }, document: { documentId } }: Props) => {
  const { actions = [] } = useExtensions();
  const model = useModel();
  const panel = usePanel();
  const perform = useTask(["document", type.uid], ["list", type.uid]);
  return actions
    .filter(({ types = [type.uid], action }) => types.includes(type.uid) && (!action || model.canIn(action, locale)))
    .map(({ label, run }) => (
      <Menu.Item
        key={label}
        onClick={() =>
          void perform(undefined, async () => tell(await run({ uid: type.uid, documentId, locale }, panel)))
        }
      >
        {label}
      </Menu.Item>
    ));
};
