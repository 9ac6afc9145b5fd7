/** Webhooks, and what was delivered to them. */
import { ActionIcon, Badge, Button, Group, Menu, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useText } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";
import { Deliveries } from "./deliveries.tsx";
import { Frame, Rows } from "./frame.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { ShownOnce } from "./shown-once.tsx";

interface Webhook {
  readonly name: string;
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

const WebhookMenu = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useText();
  const model = useModel();
  const queries = useQueryClient();
  const { confirm, dialog } = useConfirm();
  const path = `/events/webhooks/${encodeURIComponent(webhook.name)}`;
  const may = (action: string): boolean => model.can(`plugin::events.webhook.${action}`);
  const run = async (method: string, at: string, done: string): Promise<void> => {
    try {
      await send(method, at);
      tell(done);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
    } catch (error) {
      tellError(t, error);
    }
  };
  const test = async (): Promise<void> => {
    try {
      const { isDone, status, error } = (await send<Tested>("POST", `${path}/test`)).data;
      if (isDone) tell(t("webhook.answered", { status: status ?? "" }));
      else tellError(t, new Error(error ?? t("webhook.answered", { status: status ?? "" })));
    } catch (error) {
      tellError(t, error);
    }
  };
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t("action.more")}: ${webhook.name}`}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may("test") && webhook.host !== "" ? (
            <Menu.Item onClick={() => void test()}>{t("webhook.test")}</Menu.Item>
          ) : null}
          {may("pause") ? (
            <Menu.Item
              onClick={() => void run("POST", `${path}/${webhook.isPaused ? "resume" : "pause"}`, t("edit.saved"))}
            >
              {t(webhook.isPaused ? "webhook.resume" : "webhook.pause")}
            </Menu.Item>
          ) : null}
          {may("delete") && !webhook.isDeclared ? (
            <Menu.Item
              color="red"
              onClick={() =>
                confirm(
                  t("confirm.delete", { count: webhook.name }),
                  t("action.delete"),
                  () => void run("DELETE", path, t("edit.deleted")),
                )
              }
            >
              {t("action.delete")}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
};

const WebhookRow = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useText();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {webhook.name}
        </Text>
        <Text size="xs" c="dimmed">
          {webhook.host === "" ? t("webhook.inCode") : webhook.host}
        </Text>
      </Table.Td>
      <Table.Td>{webhook.events?.join(", ") ?? t("webhook.all")}</Table.Td>
      <Table.Td>
        <Group gap={6}>
          <Badge variant="light" color={webhook.isPaused ? "orange" : "teal"} tt="none" fw={550}>
            {t(webhook.isPaused ? "webhook.paused" : "people.active")}
          </Badge>
          {webhook.isDeclared ? (
            <Badge variant="default" tt="none" fw={500}>
              {t("role.byConfiguration")}
            </Badge>
          ) : null}
        </Group>
      </Table.Td>
      <Table.Td>
        {webhook.pending} / {webhook.parked}
      </Table.Td>
      <Table.Td w={50}>
        <WebhookMenu webhook={webhook} />
      </Table.Td>
    </Table.Tr>
  );
};

export const WebhooksPage = () => {
  const t = useText();
  const model = useModel();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [secret, setSecret] = useState<string>();
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks"],
    queryFn: async () => (await send<{ data: readonly Webhook[] }>("GET", "/events/webhooks")).data,
  });
  return (
    <Frame
      title={t("nav.webhooks")}
      text={t("webhook.text")}
      action={
        model.can("plugin::events.webhook.create") ? (
          <Button leftSection={<Icon name="plus" />} onClick={open}>
            {t("webhook.add")}
          </Button>
        ) : undefined
      }
    >
      <Rows
        items={data}
        error={error}
        retry={() => void refetch()}
        empty={{ icon: "link", title: t("webhook.empty") }}
        heads={[t("token.name"), t("webhook.events"), t("list.state"), t("webhook.waiting"), ""]}
        row={(webhook) => <WebhookRow key={webhook.name} webhook={webhook} />}
      />
      {model.can("plugin::events.delivery.find") ? (
        <>
          <Title order={2} size="h4" mt="md">
            {t("webhook.deliveries")}
          </Title>
          <Deliveries />
        </>
      ) : null}
      {isOpen ? (
        <NewWebhook
          close={close}
          created={(given) => {
            close();
            setSecret(given);
            void queries.invalidateQueries({ queryKey: ["webhooks"] });
          }}
        />
      ) : null}
      {secret === undefined ? null : (
        <ShownOnce
          title={t("webhook.secret")}
          text={t("webhook.secretText")}
          value={secret}
          close={() => setSecret(undefined)}
        />
      )}
    </Frame>
  );
};
