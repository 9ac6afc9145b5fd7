/** The page for editing one document. */
import { Alert, Button, Group, Text, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useEffect, useMemo } from "react";
import { useLocation, useSearchParams } from "wouter";
import { type ContentType, titleOf, useModel } from "../api/description.ts";
import { useLocales } from "../api/documents.ts";
import { useLanguage, useText } from "../i18n/index.ts";
import { hrefOf } from "../shell/addresses.ts";
import { BackLink } from "../ui/buttons.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, Failed, LoadingForm } from "../ui/states.tsx";
import { longTime } from "../ui/time.ts";
import { ActionBar } from "./action-bar.tsx";
import { CONTROLS } from "./controls.tsx";
import { mayWrite, type Place, useLoadedForm, useVersions, type Versions } from "./document.ts";
import { ControlsContext, Fields } from "./field.tsx";
import { FormContext, useOfForm } from "./form.ts";
import { useKeptText } from "./kept-text.ts";
import { useLeaving } from "./leaving.ts";
import { PlaceContext } from "./place.ts";
import { PreviewFrame, previewOf } from "./preview.tsx";
import { SideColumn } from "./side.tsx";

const Heading = ({ type, isNew }: { readonly type: ContentType; readonly isNew: boolean }) => {
  const t = useText();
  const title = useOfForm(({ values }) => titleOf(type.attributes, values));
  const name =
    type.kind === "singleType"
      ? type.displayName
      : (title ?? t(isNew ? "edit.new" : "edit.untitled", { name: type.displayName }));
  return (
    <div style={{ minWidth: 0 }}>
      {type.kind === "singleType" ? null : <BackLink href={hrefOf(type)}>{type.displayName}</BackLink>}
      <Title order={1} lineClamp={1}>
        {name}
      </Title>
    </div>
  );
};

const KeptText = ({ at, restore, forget }: Omit<ReturnType<typeof useKeptText>, "kept"> & { readonly at: string }) => {
  const { t, language } = useLanguage();
  return (
    <Alert color="orange" variant="light" mb="md" icon={<Icon name="clock" />}>
      <Group justify="space-between">
        <Text size="sm">{t("edit.unsaved", { time: longTime(at, language) })}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={restore}>
            {t("edit.restore")}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={forget}>
            {t("edit.forget")}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
};

const Leaving = () => {
  const isChanged = useOfForm((form) => form.changed().length > 0);
  useLeaving(isChanged);
  return null;
};

interface EditorProps {
  readonly place: Place;
  readonly versions: Versions | undefined;
}

const Editor = ({ place, versions }: EditorProps) => {
  const t = useText();
  const model = useModel();
  const { type, locale } = place;
  const draft = (versions?.draft ?? versions?.published)?.data;
  const form = useLoadedForm(place, draft);
  const keeping = useKeptText(place, form, true);
  const readOnly = !mayWrite(model, place);
  const [showsPreview, setShowsPreview] = useLocalStorage({ key: "panel:preview", defaultValue: false });
  const preview = draft ? previewOf(place, draft) : undefined;
  const isPreviewed = preview !== undefined && showsPreview;
  return (
    <FormContext value={form}>
      <PlaceContext value={place}>
        <Leaving />
        <div className="actions-bar">
          <Group justify="space-between" px={{ base: "md", md: "xl" }} py="md" maw={1280} mx="auto" align="flex-end">
            <Heading type={type} isNew={place.documentId === undefined} />
            <ActionBar place={place} versions={versions} readOnly={readOnly} forget={keeping.forget} />
          </Group>
        </div>
        <div className="edit-columns" data-previewed={isPreviewed}>
          <div>
            {keeping.kept ? <KeptText at={keeping.kept.at} restore={keeping.restore} forget={keeping.forget} /> : null}
            {readOnly ? (
              <Alert color="gray" variant="light" mb="md">
                {t("edit.readOnly")}
              </Alert>
            ) : null}
            {!draft && place.documentId !== undefined && locale !== undefined ? (
              <Alert color="ink" variant="light" mb="md" icon={<Icon name="globe" />}>
                {t("edit.newLocale", { locale })}
              </Alert>
            ) : null}
            <div className="surface" style={{ padding: "1.5rem" }}>
              <ControlsContext value={CONTROLS}>
                <Fields attributes={type.attributes} path={ROOT} readOnly={readOnly} groups={type.panel.groups} />
              </ControlsContext>
            </div>
          </div>
          {isPreviewed ? (
            <PreviewFrame url={preview} savedAt={draft?.updatedAt ?? ""} close={() => setShowsPreview(false)} />
          ) : null}
          <SideColumn
            place={place}
            versions={versions}
            readOnly={readOnly}
            openPreview={preview !== undefined && !showsPreview ? () => setShowsPreview(true) : undefined}
          />
        </div>
      </PlaceContext>
    </FormContext>
  );
};

const ROOT: readonly string[] = [];

interface Props {
  readonly type: ContentType;
  /** Undefined for a new document; empty for a single type. */
  readonly documentId?: string;
}

export const EditPage = ({ type, documentId }: Props) => {
  const t = useText();
  const model = useModel();
  const [params] = useSearchParams();
  const [location] = useLocation();
  const locale = type.localized ? (params.get("locale") ?? model.homeLocale(type)) : undefined;
  const place = useMemo((): Place => ({ type, documentId, locale }), [type, documentId, locale]);
  const { data: versions, error, refetch } = useVersions(place);
  const { data: locales } = useLocales(model, type, documentId ?? "", type.localized && Boolean(documentId));
  useEffect(() => window.scrollTo(0, 0), [location]);
  if (error && !versions) return <Failed error={error} retry={() => void refetch()} />;
  if (documentId !== undefined && !versions) return <LoadingForm />;
  const isMissing = documentId !== undefined && documentId !== "" && !versions?.draft && !versions?.published;
  if (isMissing && (!type.localized || locales?.size === 0))
    return <Empty isPage icon="search" title={t("edit.notFound")} />;
  return <Editor key={`${documentId ?? "new"} ${locale ?? ""}`} place={place} versions={versions} />;
};
