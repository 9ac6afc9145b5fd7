/** The page of API tokens, with which other programs use the API. */
import { Badge, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { useRecords } from "../api/records.ts";
import { useText } from "../i18n/index.ts";
import { IconButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { AddButton, Frame } from "../ui/frame.tsx";
import { Instant, Name, Row, Rows } from "../ui/rows.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { useTask } from "../ui/task.ts";
import { NewToken, type Token } from "./new-token.tsx";

const TokenRow = ({ token, revoke }: { readonly token: Token; readonly revoke: (() => void) | undefined }) => {
  const t = useText();
  const { name, type, permissions, expiresAt, lastUsedAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <Row
      cells={[
        <Name name={name} />,
        <>
          {t(`token.${type}`)}
          {type === "custom" ? (
            <Text size="xs" c="dimmed" title={permissions.join("\n")}>
              {t("token.actions", { n: permissions.length })}
            </Text>
          ) : null}
        </>,
        isExpired ? (
          <Badge color="red">{t("token.expired")}</Badge>
        ) : expiresAt === null ? (
          t("token.never")
        ) : (
          <Instant at={expiresAt} />
        ),
        lastUsedAt === null ? t("token.unused") : <Instant at={lastUsedAt} />,
        revoke ? (
          <IconButton icon="trash" color="red" label={`${t("token.revoke")}: ${name}`} onClick={revoke} />
        ) : null,
      ]}
    />
  );
};

export const TokensPage = () => {
  const t = useText();
  const mayRevoke = useModel().can("plugin::panel.token.revoke");
  const run = useTask(["tokens"]);
  const { confirm, dialog } = useConfirm();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [created, setCreated] = useState<Token & { readonly secret: string }>();
  const revoke = ({ id, name }: Token) =>
    confirm(
      t("token.confirm", { name }),
      t("token.revoke"),
      () => void run(t("token.revoked"), () => send("DELETE", `/api-tokens/${id}`)),
    );
  return (
    <Frame
      title={t("nav.tokens")}
      text={t("token.text")}
      action={<AddButton action="plugin::panel.token.create" label={t("token.add")} open={open} />}
    >
      <Rows
        query={useRecords<Token>("tokens", "/api-tokens")}
        empty={{ icon: "key", title: t("token.empty") }}
        heads={[t("token.name"), t("token.type"), t("token.expires"), t("token.used"), ""]}
        row={(token) => <TokenRow key={token.id} token={token} revoke={mayRevoke ? () => revoke(token) : undefined} />}
      />
      {dialog}
      {isOpen ? <NewToken close={close} created={setCreated} /> : null}
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
