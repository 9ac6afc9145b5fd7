import { Menu } from "@mantine/core";
import { useModel } from "../api/description.ts";
import type { Document } from "../api/documents.ts";
import type { Place } from "../edit/document.ts";
import { useExtensions, usePanel } from "./context.ts";

interface Props {
  readonly place: Place;
  readonly document: Document;
  /** Saves what was typed, and does the work. */
  perform(work: () => Promise<string>): void;
}

/** The project's own actions on a document, as items of a menu. */
export const OwnActions = ({ place: { type, locale }, document: { documentId }, perform }: Props) => {
  const { actions = [] } = useExtensions();
  const model = useModel();
  const panel = usePanel();
  return actions
    .filter(({ types = [type.uid], action }) => types.includes(type.uid) && (!action || model.canIn(action, locale)))
    .map(({ label, run }) => (
      <Menu.Item key={label} onClick={() => perform(async () => run({ uid: type.uid, documentId, locale }, panel))}>
        {label}
      </Menu.Item>
    ));
};
