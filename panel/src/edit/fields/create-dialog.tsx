/** Creates the target of a relation without leaving the document. */
import { Button, Group, Stack } from "@mantine/core";
import { useContext, useMemo, useState } from "react";
import { type ContentType, mainAttribute, useModel } from "../../api/description.ts";
import { useText } from "../../i18n/index.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { tell, tellError } from "../../ui/notify.ts";
import { emptyValues, type Linked } from "../convert.ts";
import { faultsOf, type Place, useWriting } from "../document.ts";
import { Fields } from "../field.tsx";
import { createForm, FormContext } from "../form.ts";
import { PlaceContext } from "../place.ts";
import { showFault } from "../show-fault.ts";

interface Props {
  readonly type: ContentType;
  /** What the user has searched for. */
  readonly title: string;
  close(): void;
  created(document: Linked): void;
}

const ROOT: readonly string[] = [];

export const CreateDialog = ({ type, title, close, created }: Props) => {
  const t = useText();
  const model = useModel();
  const around = useContext(PlaceContext);
  const locale = type.localized ? (around?.locale ?? model.locales.default) : undefined;
  const place = useMemo((): Place => ({ type, documentId: undefined, locale }), [type, locale]);
  const main = mainAttribute(type.attributes);
  const [form] = useState(() => {
    const values = emptyValues(model, type.attributes);
    return createForm(main === undefined || title === "" ? values : { ...values, [main]: title }, "new");
  });
  const { save, reload } = useWriting(place);
  const [isBusy, setBusy] = useState(false);
  const store = async (publishes: boolean): Promise<void> => {
    if (form.blocked().length > 0) return showFault(form, form.blocked());
    setBusy(true);
    try {
      const documentId = await save(form, publishes);
      created({ ...form.values, documentId });
      tell(t(publishes ? "edit.published" : "edit.created"));
      void reload();
      close();
    } catch (error) {
      const faults = faultsOf(error, t);
      if (faults.size === 0) tellError(t, error);
      form.setFaults(faults);
      showFault(form, faults.keys());
      setBusy(false);
    }
  };
  const mayPublish = type.draftAndPublish && (model.drafts === "find" || model.can(`${type.uid}.publish`));
  const leave = (): void => {
    if (form.changed().length === 0 || window.confirm(t("confirm.leave"))) close();
  };
  return (
    <Dialog close={leave} size="lg" title={t("action.create", { name: type.displayName })} closeOnClickOutside={false}>
      <FormContext value={form}>
        <PlaceContext value={place}>
          <Stack>
            <Fields attributes={type.attributes} path={ROOT} readOnly={false} groups={type.panel.groups} />
            <Group justify="flex-end">
              <Button variant={mayPublish ? "default" : "filled"} loading={isBusy} onClick={() => void store(false)}>
                {t(type.draftAndPublish ? "action.saveDraft" : "action.save")}
              </Button>
              {mayPublish ? (
                <Button loading={isBusy} onClick={() => void store(true)}>
                  {t("action.publish")}
                </Button>
              ) : null}
            </Group>
          </Stack>
        </PlaceContext>
      </FormContext>
    </Dialog>
  );
};
