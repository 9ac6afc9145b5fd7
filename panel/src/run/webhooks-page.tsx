/** Webhooks, and what was delivered to them. */
import { Badge, Group, Menu, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useRecords } from "../api/records.ts";
import { useText } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { AddButton, Frame } from "../ui/frame.tsx";
import { tell } from "../ui/notify.ts";
import { DeleteItem, Name, Row, RowMenu, Rows } from "../ui/rows.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { useTask } from "../ui/task.ts";
import { Deliveries } from "./deliveries.tsx";
import { NewWebhook } from "./new-webhook.tsx";

interface Webhook {
  readonly name: string;
  /** Empty for a consumer in the project's code. */
  readonly host: string;
  readonly isDeclared: boolean;
  readonly isPaused: boolean;
  readonly events: readonly string[] | null;
  readonly pending: number;
  readonly parked: number;
}

interface Tested {
  readonly data: { readonly isDone: boolean; readonly status: number | null; readonly error: string | null };
}

const WebhookMenu = ({ webhook: { name, host, isDeclared, isPaused } }: { readonly webhook: Webhook }) => {
  const t = useText();
  const model = useModel();
  const run = useTask(["webhooks"], ["deliveries"]);
  const { confirmDeletion, dialog } = useConfirm();
  const path = `/events/webhooks/${encodeURIComponent(name)}`;
  const may = (action: string): boolean => model.can(`plugin::events.webhook.${action}`);
  const test = () =>
    run(undefined, async () => {
      const { isDone, status, error } = (await send<Tested>("POST", `${path}/test`)).data;
      const answered = t("webhook.answered", { status: status ?? "" });
      if (!isDone) throw new Error(error ?? answered);
      tell(answered);
    });
  const pause = () => run(t("edit.saved"), () => send("POST", `${path}/${isPaused ? "resume" : "pause"}`));
  const mayTest = may("test") && host !== "";
  const mayDelete = may("delete") && !isDeclared;
  if (!mayTest && !mayDelete && !may("pause")) return null;
  const remove = () => confirmDeletion(name, () => run(t("edit.deleted"), () => send("DELETE", path)));
  return (
    <>
      <RowMenu name={name}>
        {mayTest ? <Menu.Item onClick={() => void test()}>{t("webhook.test")}</Menu.Item> : null}
        {may("pause") ? (
          <Menu.Item onClick={() => void pause()}>{t(isPaused ? "webhook.resume" : "webhook.pause")}</Menu.Item>
        ) : null}
        {mayDelete ? <DeleteItem onClick={remove} /> : null}
      </RowMenu>
      {dialog}
    </>
  );
};

const WebhookRow = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useText();
  const { name, host, events, isPaused, isDeclared, pending, parked } = webhook;
  return (
    <Row
      cells={[
        <Name name={name} note={host === "" ? t("webhook.inCode") : host} />,
        events?.join(", ") ?? t("webhook.all"),
        <Group gap={6}>
          <Badge color={isPaused ? "orange" : "teal"}>{t(isPaused ? "webhook.paused" : "people.active")}</Badge>
          {isDeclared ? <Badge variant="default">{t("role.byConfiguration")}</Badge> : null}
        </Group>,
        `${pending} / ${parked}`,
        <WebhookMenu webhook={webhook} />,
      ]}
    />
  );
};

export const WebhooksPage = () => {
  const t = useText();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<{ readonly name: string; readonly secret: string }>();
  return (
    <Frame
      title={t("nav.webhooks")}
      text={t("webhook.text")}
      action={<AddButton action="plugin::events.webhook.create" label={t("webhook.add")} open={open} />}
    >
      <Rows
        query={useRecords<Webhook>("webhooks", "/events/webhooks")}
        empty={{ icon: "link", title: t("webhook.empty") }}
        heads={[t("token.name"), t("webhook.events"), t("list.state"), t("webhook.waiting"), ""]}
        row={(webhook) => <WebhookRow key={webhook.name} webhook={webhook} />}
      />
      {useModel().can("plugin::events.delivery.find") ? (
        <>
          <Title order={2} size="h4" mt="md">
            {t("webhook.deliveries")}
          </Title>
          <Deliveries />
        </>
      ) : null}
      {isOpen ? <NewWebhook close={close} created={setCreated} /> : null}
      {created ? (
        <ShownOnce
          title={created.name}
          text={t("webhook.secretText")}
          value={created.secret}
          close={() => setCreated(undefined)}
        />
      ) : null}
    </Frame>
  );
};
