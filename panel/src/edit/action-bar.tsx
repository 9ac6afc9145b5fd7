/** The actions on a document: save, publish, and the others in a menu. */
import { ActionIcon, Button, Group, Menu, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../api/client.ts";
import { isShown, labelOf, useModel } from "../api/description.ts";
import { act, removeDocument } from "../api/documents.ts";
import { OwnActions } from "../extensions/actions.tsx";
import type { TextKey } from "../i18n/index.ts";
import { documentsIn, useText } from "../i18n/index.ts";
import { hrefOf } from "../shell/addresses.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";
import { DeleteItem } from "../ui/rows.tsx";
import { ConflictDialog } from "./conflict.tsx";
import { Conflict, faultsOf, type Place, useWriting, type Versions } from "./document.ts";
import { useForm, useOfForm } from "./form.ts";
import { keepText } from "./kept-text.ts";
import { leaveFreely } from "./leaving.ts";
import { showFault } from "./show-fault.ts";

interface Props {
  readonly place: Place;
  readonly versions: Versions | undefined;
  readonly readOnly: boolean;
  forget(): void;
}

/** The attribute that a fault's path begins with. */
const nameIn = (path: string): string => path.split(".")[0] ?? "";

const useActions = ({ place, forget }: Props) => {
  const t = useText();
  const model = useModel();
  const form = useForm();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { save, reload } = useWriting(place);
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const [isConflict, setConflict] = useState(false);
  const { type, documentId, locale } = place;

  const fail = (error: unknown): void => {
    if (error instanceof Conflict) return setConflict(true);
    const faults = faultsOf(error, t);
    if (faults.size === 0) return tellError(t, error);
    const known = [...faults].filter(([path]) => nameIn(path) in type.attributes);
    // A field that the form does not have: the schema has changed since the page was loaded.
    if (known.length < faults.size) {
      void queries.invalidateQueries({ queryKey: ["description"] });
      tellError(t, new Error(t("error.outdated", { message: messageOf(error) })));
    }
    const shown = new Map<string, string>();
    for (const [path, text] of known) {
      const attribute = type.attributes[nameIn(path)];
      if (attribute !== undefined && isShown(attribute)) shown.set(path, text);
      else tellError(t, new Error(`${labelOf(type.attributes, nameIn(path))}: ${text}`));
    }
    form.setFaults(shown);
    showFault(form, shown.keys());
  };
  const run = async (message: TextKey | undefined, work: () => Promise<string | undefined>): Promise<void> => {
    // Keys may come faster than the buttons are disabled.
    if (running.current) return;
    if (form.blocked().length > 0) return showFault(form, form.blocked());
    running.current = true;
    setBusy(true);
    try {
      const at = await work();
      forget();
      if (message !== undefined) tell(t(message));
      await reload();
      // Input of the meantime is offered again.
      if (form.changed().length > 0) keepText(model, { ...place, documentId: documentId ?? at }, form.unsaved());
      if (documentId === undefined && at !== undefined) {
        leaveFreely();
        navigate(hrefOf(type, { documentId: at, locale }), { replace: true });
      }
    } catch (error) {
      fail(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const store = async (): Promise<string> =>
    documentId !== undefined && form.base !== undefined && form.changed().length === 0 ? documentId : save(form);

  return {
    isBusy,
    isConflict,
    closeConflict: () => setConflict(false),
    save: () => void run(documentId === undefined ? "edit.created" : "edit.saved", store),
    // Code of the project works with what is stored.
    perform: (work: () => Promise<string>) =>
      void run(undefined, async () => {
        const at = await store();
        // The form is that of what is stored now, even if the work fails.
        await reload();
        tell(await work());
        return at;
      }),
    // One request: if publishing is refused, nothing is stored, and the input stays as it was typed.
    publish: () => void run("edit.published", () => save(form, true)),
    act: (message: TextKey, action: string) =>
      void run(message, async () => {
        await act(type, documentId ?? "", action, locale);
        form.accept(action === "discard-draft" ? form.values : form.saved);
        return undefined;
      }),
    remove: () =>
      void run("edit.deleted", async () => {
        await removeDocument(type, documentId ?? "", locale);
        leaveFreely();
        navigate(hrefOf(type), { replace: true });
        return undefined;
      }),
  };
};

type Actions = ReturnType<typeof useActions>;

const MoreMenu = ({ place, versions, actions }: Props & { readonly actions: Actions }) => {
  const { type, documentId, locale } = place;
  const t = useText();
  const model = useModel();
  const { confirm, confirmDeletion, dialog } = useConfirm();
  const may = (action: string): boolean => model.canIn(`${type.uid}.${action}`, locale);
  const one = documentsIn(t, 1);
  const isPublished = versions?.published !== null && versions?.published !== undefined;
  if (documentId === undefined || !versions?.draft) return null;
  return (
    <>
      <Menu width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("action.more")}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {type.draftAndPublish && isPublished && may("unpublish") ? (
            <Menu.Item
              onClick={() =>
                confirm(t("confirm.unpublish", { count: one }), t("action.unpublish"), () =>
                  actions.act("edit.unpublished", "unpublish"),
                )
              }
            >
              {t("action.unpublish")}
            </Menu.Item>
          ) : null}
          {type.draftAndPublish && isPublished && may("discardDraft") ? (
            <Menu.Item
              onClick={() =>
                confirm(t("confirm.discard"), t("action.discard"), () => actions.act("edit.discarded", "discard-draft"))
              }
            >
              {t("action.discard")}
            </Menu.Item>
          ) : null}
          <OwnActions place={place} document={versions.draft.data} perform={actions.perform} />
          {may("delete") ? <DeleteItem onClick={() => confirmDeletion(one, actions.remove)} /> : null}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
};

const Note = () => {
  const t = useText();
  const changed = useOfForm((form) => form.changed().length);
  const faults = useOfForm((form) => form.faults.size);
  if (faults > 0)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {faults === 1 ? t("edit.fault") : t("edit.faults", { n: faults })}
      </Text>
    );
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {changed > 0 ? t("edit.changed") : ""}
    </Text>
  );
};

export const ActionBar = (props: Props) => {
  const t = useText();
  const model = useModel();
  const actions = useActions(props);
  const { place, versions, readOnly } = props;
  const { type } = place;
  const hasChanges = useOfForm((form) => form.changed().length > 0);
  useHotkeys([["mod+s", () => (readOnly ? undefined : actions.save())]], [], true);
  const mayPublish =
    type.draftAndPublish && (model.drafts === "find" || model.canIn(`${type.uid}.publish`, place.locale));
  const isStored = versions?.draft !== null && versions?.draft !== undefined;
  return (
    <Group gap="sm">
      <Note />
      {readOnly ? null : (
        <Button
          variant={mayPublish ? "default" : "filled"}
          loading={actions.isBusy}
          disabled={isStored && !hasChanges}
          onClick={actions.save}
        >
          {t(type.draftAndPublish ? "action.saveDraft" : "action.save")}
        </Button>
      )}
      {mayPublish && !readOnly ? (
        <Button loading={actions.isBusy} onClick={actions.publish}>
          {t("action.publish")}
        </Button>
      ) : null}
      <MoreMenu {...props} actions={actions} />
      {actions.isConflict ? <ConflictDialog place={place} close={actions.closeConflict} /> : null}
    </Group>
  );
};
