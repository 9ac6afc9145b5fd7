/** The side bar of a document: its status, its languages, its schedule. */
import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { useLocation } from "wouter";
import { useModel } from "../api/description.ts";
import { readDocument, stateOf, useLocales } from "../api/documents.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { hrefOf } from "../shell/addresses.ts";
import { ActionButton } from "../ui/buttons.tsx";
import { Muted } from "../ui/states.tsx";
import { StatusMark } from "../ui/status.tsx";
import { useTask } from "../ui/task.ts";
import { longTime } from "../ui/time.ts";
import { copied, isRecord, valuesIn } from "./convert.ts";
import type { Place, Versions } from "./document.ts";
import { useForm } from "./form.ts";
import { Presence } from "./presence.tsx";
import { ScheduleForm } from "./schedule.tsx";
import { Sharing } from "./share.tsx";

const HistoryDrawer = lazy(async () => ({ default: (await import("./history.tsx")).HistoryDrawer }));
const PublicationDialog = lazy(async () => ({ default: (await import("./publication.tsx")).PublicationDialog }));

interface Props {
  readonly place: Place;
  readonly versions: Versions | undefined;
  readonly readOnly: boolean;
}

const Fact = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  <Group justify="space-between" wrap="nowrap" gap="md">
    <Muted>{label}</Muted>
    <Text size="sm" component="div" ta="right" style={{ overflowWrap: "anywhere" }}>
      {children}
    </Text>
  </Group>
);

const Languages = ({ place, readOnly }: Pick<Props, "place" | "readOnly">) => {
  const t = useText();
  const model = useModel();
  const form = useForm();
  const [, navigate] = useLocation();
  const { type, locale, documentId = "" } = place;
  const { data: there = new Set<string>() } = useLocales(model, type, documentId);
  const run = useTask();
  const copy = (from: string) =>
    run(undefined, async () => {
      const source = await readDocument(model, type, { documentId, locale: from });
      const values = source ? copied(valuesIn(model, type.attributes, source.data)) : undefined;
      const isFree = form.changed().length === 0 || window.confirm(t("edit.overwrites", { locale: from }));
      if (isRecord(values) && isFree) form.fill(values);
    });
  return (
    <Stack gap={4}>
      <Title order={2} size="sm">
        {t("list.locales")}
      </Title>
      {model.locales.codes.map((code) => {
        const isHere = code === locale;
        return (
          <Group key={code} justify="space-between" h={32}>
            <Group gap={8}>
              <span
                className="dot"
                style={{ background: there.has(code) ? "var(--mantine-color-teal-6)" : "var(--mantine-color-gray-5)" }}
              />
              {isHere ? (
                <Text size="sm" fw={600}>
                  {code}
                </Text>
              ) : (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  onClick={() => navigate(hrefOf(type, { documentId, locale: code }))}
                >
                  {code}
                </Anchor>
              )}
            </Group>
            {!isHere && there.has(code) && !readOnly ? (
              <Button size="compact-xs" variant="subtle" onClick={() => void copy(code)}>
                {t("edit.copyFrom", { locale: code })}
              </Button>
            ) : null}
          </Group>
        );
      })}
    </Stack>
  );
};

/** The buttons that compare the document with its published and its earlier versions. */
const Comparisons = ({ place, versions }: Pick<Props, "place" | "versions">) => {
  const t = useText();
  const model = useModel();
  const [isHistory, history] = useDisclosure(false);
  const [isPublication, publication] = useDisclosure(false);
  const { type, documentId } = place;
  return (
    <>
      {versions?.published && versions.draft ? (
        <ActionButton icon="columns" variant="default" size="xs" onClick={publication.open}>
          {t("publication.title")}
        </ActionButton>
      ) : null}
      {documentId !== undefined && model.can(`${type.uid}.findVersions`) ? (
        <ActionButton icon="clock" variant="default" size="xs" onClick={history.open}>
          {t("history.title")}
        </ActionButton>
      ) : null}
      <Suspense>
        {isHistory ? <HistoryDrawer place={place} close={history.close} /> : null}
        {isPublication && versions ? (
          <PublicationDialog place={place} versions={versions} close={publication.close} />
        ) : null}
      </Suspense>
    </>
  );
};

interface SideProps extends Props {
  /** Undefined if there is no preview, or it is open. */
  openPreview?(): void;
}

export const SideColumn = ({ place, versions, readOnly, openPreview }: SideProps) => {
  const { t, language } = useLanguage();
  const { type, documentId } = place;
  const draft = versions?.draft?.data;
  const published = versions?.published?.data;
  const shown = draft ?? published;
  const schedule = versions?.draft?.meta.schedule;
  return (
    <Stack component="aside" className="surface" p="lg" gap="lg" aria-label={t("edit.information")}>
      <Stack gap={8}>
        <div>
          <Title order={2} size="sm">
            {t("edit.information")}
          </Title>
          {documentId === undefined ? null : <Presence place={place} />}
        </div>
        {type.draftAndPublish && shown ? (
          <Fact label={t("list.state")}>
            <StatusMark status={stateOf(shown, published?.updatedAt)} />
          </Fact>
        ) : null}
        {schedule?.publishAt || schedule?.unpublishAt ? (
          <Fact label={t("status.scheduled")}>
            {[schedule.publishAt, schedule.unpublishAt].map((at) => (at ? longTime(at, language) : "")).join(" – ")}
          </Fact>
        ) : null}
        {shown ? (
          <>
            <Fact label={t("edit.updated")}>{longTime(shown.updatedAt, language)}</Fact>
            <Fact label={t("edit.id")}>{shown.documentId}</Fact>
          </>
        ) : (
          <Muted>{t("edit.new", { name: type.displayName })}</Muted>
        )}
        {openPreview === undefined ? null : (
          <ActionButton icon="eye" variant="default" size="xs" onClick={openPreview}>
            {t("preview.title")}
          </ActionButton>
        )}
        {draft ? <Sharing place={place} document={draft} /> : null}
        <Comparisons place={place} versions={versions} />
      </Stack>
      {type.localized && documentId !== undefined ? <Languages place={place} readOnly={readOnly} /> : null}
      {type.schedules && draft ? <ScheduleForm place={place} schedule={schedule} /> : null}
    </Stack>
  );
};
