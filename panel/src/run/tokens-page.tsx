/** The page of API tokens, with which other programs use the API. */
import { ActionIcon, Badge, Button, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useLanguage } from "../i18n/index.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { Icon } from "../ui/icons.tsx";
import { tell, tellError } from "../ui/notify.ts";
import { longTime } from "../ui/time.ts";
import { Frame, Rows } from "./frame.tsx";
import { NewToken, type Token } from "./new-token.tsx";
import { ShownOnce } from "./shown-once.tsx";

const TokenRow = ({ token, revoke }: { readonly token: Token; readonly revoke: (() => void) | undefined }) => {
  const { t, language } = useLanguage();
  const isExpired = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550}>
          {token.name}
        </Text>
      </Table.Td>
      <Table.Td>
        {t(`token.${token.type}`)}
        {token.type === "custom" ? (
          <Text size="xs" c="dimmed" title={token.permissions.join("\n")}>
            {t("token.actions", { n: token.permissions.length })}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td>
        {isExpired ? (
          <Badge color="red" variant="light" tt="none" fw={550}>
            {t("token.expired")}
          </Badge>
        ) : token.expiresAt === null ? (
          t("token.never")
        ) : (
          longTime(token.expiresAt, language)
        )}
      </Table.Td>
      <Table.Td>{token.lastUsedAt === null ? t("token.unused") : longTime(token.lastUsedAt, language)}</Table.Td>
      <Table.Td w={50}>
        {revoke ? (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`${t("token.revoke")}: ${token.name}`}
            title={t("token.revoke")}
            onClick={revoke}
          >
            <Icon name="trash" />
          </ActionIcon>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
};

export const TokensPage = () => {
  const { t } = useLanguage();
  const model = useModel();
  const queries = useQueryClient();
  const { confirm, dialog } = useConfirm();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<Token & { readonly secret: string }>();
  const { data, error, refetch } = useQuery({
    queryKey: ["tokens"],
    queryFn: async () => (await send<{ data: readonly Token[] }>("GET", "/api-tokens")).data,
  });
  const revoke = async ({ id }: Token): Promise<void> => {
    try {
      await send("DELETE", `/api-tokens/${id}`);
      tell(t("token.revoked"));
      await queries.invalidateQueries({ queryKey: ["tokens"] });
    } catch (thrown) {
      tellError(t, thrown);
    }
  };
  const mayRevoke = model.can("plugin::panel.token.revoke");
  return (
    <Frame
      title={t("nav.tokens")}
      text={t("token.text")}
      action={
        model.can("plugin::panel.token.create") ? (
          <Button leftSection={<Icon name="plus" />} onClick={open}>
            {t("token.add")}
          </Button>
        ) : undefined
      }
    >
      <Rows
        items={data}
        error={error}
        retry={() => void refetch()}
        empty={{ icon: "key", title: t("token.empty") }}
        heads={[t("token.name"), t("token.type"), t("token.expires"), t("token.used"), ""]}
        row={(token) => (
          <TokenRow
            key={token.id}
            token={token}
            revoke={
              mayRevoke
                ? () => confirm(t("token.confirm", { name: token.name }), t("token.revoke"), () => void revoke(token))
                : undefined
            }
          />
        )}
      />
      {dialog}
      {isOpen ? (
        <NewToken
          close={close}
          created={(token) => {
            close();
            setCreated(token);
            void queries.invalidateQueries({ queryKey: ["tokens"] });
          }}
        />
      ) : null}
      {created ? (
        <ShownOnce
          title={created.name}
          text={t("token.once")}
          value={created.secret}
          close={() => setCreated(undefined)}
        />
      ) : null}
    </Frame>
  );
};
