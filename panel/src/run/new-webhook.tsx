import { Button, Group, Modal, MultiSelect, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { messageOf, send } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { Fault } from "../ui/states.tsx";

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
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const body = { data: { name, url, ...(events.length === 0 ? {} : { events }) } };
      created((await send<{ data: { secret: string } }>("POST", "/events/webhooks", { body })).data.secret);
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={t("webhook.add")} closeButtonProps={{ "aria-label": t("action.close") }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Fault text={fault} />
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
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
