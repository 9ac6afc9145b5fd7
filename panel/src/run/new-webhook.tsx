import { MultiSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useInputs } from "../ui/inputs.ts";

const EVENTS = [
  ...["create", "update", "delete", "publish", "unpublish", "draft-discard"].map((action) => `entry.${action}`),
  ...["create", "update", "delete"].map((action) => `media.${action}`),
];

interface Created {
  readonly name: string;
  /** For signatures. */
  readonly secret: string;
}

interface Props {
  close(): void;
  created(webhook: Created): void;
}

export const NewWebhook = ({ close, created }: Props) => {
  const t = useText();
  const { values, text } = useInputs({ name: "", url: "" });
  const [events, setEvents] = useState<string[]>([]);
  const submit = async () => {
    const body = { data: { ...values, ...(events.length === 0 ? {} : { events }) } };
    return (await send<{ data: Created }>("POST", "/events/webhooks", { body })).data;
  };
  return (
    <FormDialog title={t("webhook.add")} changes="webhooks" submit={submit} close={close} stored={created}>
      <TextInput label={t("token.name")} required data-autofocus {...text("name")} />
      <TextInput label={t("webhook.url")} type="url" required placeholder="https://" {...text("url")} />
      <MultiSelect
        label={t("webhook.events")}
        placeholder={events.length === 0 ? t("webhook.all") : undefined}
        data={EVENTS}
        value={events}
        onChange={setEvents}
      />
    </FormDialog>
  );
};
