/** Links with which people without an account see the draft until they expire. */
import { Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import type { Document } from "../api/documents.ts";
import { useRecords } from "../api/records.ts";
import { useLanguage } from "../i18n/index.ts";
import { settings } from "../settings.ts";
import { ActionButton, IconButton } from "../ui/buttons.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { useTask } from "../ui/task.ts";
import { inDays, longTime } from "../ui/time.ts";
import type { Place } from "./document.ts";
import { previewOf } from "./preview.tsx";

interface Props {
  readonly place: Place;
  readonly document: Document;
}

const ShareDialog = ({ place, document, ...dialog }: Props & { close(): void; stored(token: string): void }) => {
  const { t, language } = useLanguage();
  const [days, setDays] = useState("7");
  const shared = { uid: place.type.uid, documentId: document.documentId, locale: place.locale };
  const path = `/share-links?${new URLSearchParams(JSON.parse(JSON.stringify(shared)))}`;
  const { data: links = [] } = useRecords<{ readonly id: string; readonly expiresAt: string }>(path, path);
  const run = useTask([path]);
  const end = (id: string) => run(t("share.ended"), () => send("DELETE", `/share-links/${id}`));
  const submit = async () => {
    const body = { data: { ...shared, expiresAt: inDays(Number(days)) } };
    return (await send<{ data: { readonly token: string } }>("POST", "/share-links", { body })).data.token;
  };
  const choices = ["1", "7", "30"].map((n) => ({ value: n, label: t(n === "1" ? "share.day" : "token.days", { n }) }));
  return (
    <FormDialog title={t("share.title")} action={t("share.create")} changes={path} submit={submit} {...dialog}>
      <Text size="sm">{t("share.text")}</Text>
      <Select label={t("share.days")} value={days} data={choices} onChange={(next) => setDays(next ?? days)} />
      {links.map(({ id, expiresAt }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Text size="sm">{t("share.until", { at: longTime(expiresAt, language) })}</Text>
          <IconButton icon="x" label={t("share.end")} onClick={() => void end(id)} />
        </Group>
      ))}
    </FormDialog>
  );
};

/** The button that shares the draft, where the site shows drafts and the user may share them. */
export const Sharing = (props: Props) => {
  const { t } = useLanguage();
  const model = useModel();
  const [shown, setShown] = useState<"dialog" | URL>();
  const close = () => setShown(undefined);
  if (settings.previewUrl === undefined || !model.can("plugin::sharing.link.create")) return null;
  const show = (token: string): void => {
    const address = new URL(previewOf(props.place, props.document) ?? "/", location.origin);
    address.searchParams.set("preview", token);
    setShown(address);
  };
  return (
    <>
      <ActionButton icon="link" variant="default" size="xs" onClick={() => setShown("dialog")}>
        {t("share.title")}
      </ActionButton>
      {shown === "dialog" ? <ShareDialog {...props} close={close} stored={show} /> : null}
      {shown instanceof URL ? (
        <ShownOnce title={t("share.title")} text={t("share.once")} value={shown.href} close={close} />
      ) : null}
    </>
  );
};
