/** The stored versions of a document: lists them, shows how each differs from now, and restores one. */
import { Button, Drawer, Group, Loader, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import type { VersionInfo } from "galley-cms/client";
import { useState } from "react";
import { type Attributes, labelOf, useModel } from "../api/description.ts";
import { restoreVersion, useStoredVersions, useUserNames, useVersionDifference } from "../api/versions.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { ActionButton, MoreButton } from "../ui/buttons.tsx";
import { useConfirm } from "../ui/confirm.tsx";
import { tell } from "../ui/notify.ts";
import { Loaded, LoadingRows, Muted } from "../ui/states.tsx";
import { StatusMark } from "../ui/status.tsx";
import { useTask } from "../ui/task.ts";
import { longTime } from "../ui/time.ts";
import { Differences } from "./compare/differences.tsx";
import { type Place, useWriting } from "./document.ts";
import { useForm } from "./form.ts";

/** Who wrote a version, for users. */
const useAuthors = (versions: readonly VersionInfo[]) => {
  const t = useText();
  const model = useModel();
  const ids = versions.flatMap(({ by }) => (by?.kind === "user" && by.id !== null ? [by.id] : []));
  const { data: names } = useUserNames(model, ids);
  return ({ by }: VersionInfo): string => {
    if (by === null) return t("history.by.unknown");
    if (by.kind !== "user") return t(`history.by.${by.kind}`);
    if (by.id === model.user?.id) return t("history.by.you");
    return names?.get(by.id ?? 0) ?? t("history.by.user", { id: by.id ?? "" });
  };
};

interface VersionProps {
  readonly place: Place;
  readonly version: VersionInfo;
}

/** One version: how it differs from now, and the button that restores it. */
const Version = ({ place, version, back, close }: VersionProps & { back(): void; close(): void }) => {
  const { t, language } = useLanguage();
  const model = useModel();
  const form = useForm();
  const { reload } = useWriting(place);
  const { confirm, dialog } = useConfirm();
  const { type, documentId = "", locale } = place;
  const query = useVersionDifference(type, documentId, version.id);
  const run = useTask();
  const restore = () =>
    run(undefined, async () => {
      const gone = await restoreVersion(type, documentId, version.id);
      form.accept(form.values);
      tell(gone.length === 0 ? t("edit.restored") : t("history.gone", { n: gone.length }));
      await reload();
      close();
    });
  const ask = (): void =>
    form.changed().length > 0
      ? confirm(t("history.overwrites"), t("history.restore"), () => void restore())
      : void restore();
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <ActionButton icon="arrowLeft" variant="subtle" color="gray" size="xs" onClick={back}>
          {t("history.all")}
        </ActionButton>
        {model.canIn(`${type.uid}.restoreVersion`, locale) ? (
          <Button size="xs" onClick={ask}>
            {t("history.restore")}
          </Button>
        ) : null}
      </Group>
      <div>
        <Title order={3} size="h5">
          {longTime(version.at, language)}
        </Title>
        <Muted>{t("history.compared")}</Muted>
      </div>
      <Loaded query={query} loading={<Loader size="sm" />}>
        {(differences) => (
          <Differences
            attributes={type.attributes}
            differences={differences.filter(({ attribute }) => type.attributes[attribute])}
          />
        )}
      </Loaded>
      {dialog}
    </Stack>
  );
};

interface ItemProps {
  readonly attributes: Attributes;
  readonly version: VersionInfo;
  readonly author: string;
  open(): void;
}

const VersionItem = ({ attributes, version, author, open }: ItemProps) => {
  const { t, language } = useLanguage();
  return (
    <UnstyledButton className="version" onClick={open}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={550} component="span">
          {longTime(version.at, language)}
        </Text>
        <StatusMark status={version.status} />
      </Group>
      <Text size="xs" c="dimmed" component="span" display="block">
        {t(`history.${version.action}`)} · {author}
      </Text>
      {version.changed && version.changed.length > 0 ? (
        <Text size="xs" c="dimmed" component="span" display="block" truncate>
          {version.changed.map((name) => labelOf(attributes, name)).join(", ")}
        </Text>
      ) : null}
    </UnstyledButton>
  );
};

const Versions = ({ place, open }: { readonly place: Place; open(version: VersionInfo): void }) => {
  const t = useText();
  const { type, documentId = "", locale } = place;
  const query = useStoredVersions(type, documentId, locale);
  const authorOf = useAuthors(query.data ?? []);
  return (
    <Stack gap={4}>
      <Loaded query={query} loading={<LoadingRows />}>
        {(versions) =>
          versions.length === 0 ? (
            <Text c="dimmed">{t("history.none")}</Text>
          ) : (
            versions.map((version) => (
              <VersionItem
                key={version.id}
                attributes={type.attributes}
                version={version}
                author={authorOf(version)}
                open={() => open(version)}
              />
            ))
          )
        }
      </Loaded>
      <MoreButton query={query}>{t("history.more")}</MoreButton>
    </Stack>
  );
};

/** The drawer with the history of a document. */
export const HistoryDrawer = ({ place, close }: { readonly place: Place; close(): void }) => {
  const t = useText();
  const [version, setVersion] = useState<VersionInfo>();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={t("history.title")}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      {version ? (
        <Version place={place} version={version} back={() => setVersion(undefined)} close={close} />
      ) : (
        <Versions place={place} open={setVersion} />
      )}
    </Drawer>
  );
};
