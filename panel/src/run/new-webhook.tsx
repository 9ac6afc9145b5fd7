import { MultiSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { FormDialog } from "../ui/form-dialog.tsx";

const EVENTS = [
  "entry.create",
  "entry.update",
  "entry.delete",
  "entry.publish",
  "entry.unpublish",
  "media.create",
  "media.update",
  "media.delete",
];

interface Props {
  close(): void;
  /** Called with the secret for signatures. */
  created(secret: string): void;
}

export const NewWebhook = ({ close, created }: Props) => {
  const t = useText();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>([]);
  const submit = async (): Promise<void> => {
    const body = { data: { name, url, ...(events.length === 0 ? {} : { events }) } };
    created((await send<{ data: { secret: string } }>("POST", "/events/webhooks", { body })).data.secret);
  };
  return (
    <FormDialog title={t("webhook.add")} submit={submit} close={close}>
      <TextInput
        label={t("token.name")}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t("webhook.url")}
        type="url"
        required
        placeholder="https://"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
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
