/** Schedules when a draft is published and unpublished. */
import { Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { pathOf, type Schedule } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { tell, tellError } from "../ui/notify.ts";
import { fromLocal, toLocal, zone } from "../ui/time.ts";
import { type Place, useWriting } from "./document.ts";

export const ScheduleForm = ({
  place,
  schedule,
}: {
  readonly place: Place;
  readonly schedule: Schedule | undefined;
}) => {
  const t = useText();
  const model = useModel();
  const { reload } = useWriting(place);
  const [publishAt, setPublishAt] = useState(toLocal(schedule?.publishAt));
  const [unpublishAt, setUnpublishAt] = useState(toLocal(schedule?.unpublishAt));
  const { type, documentId, locale } = place;
  if (!model.canIn(`${type.uid}.schedule`, locale)) return null;
  const store = async (): Promise<void> => {
    try {
      const data = { publishAt: fromLocal(publishAt), unpublishAt: fromLocal(unpublishAt) };
      const query = locale === undefined ? {} : { locale };
      await send("POST", `${pathOf(type, documentId)}/actions/schedule`, { query, body: { data } });
      tell(t("edit.saved"));
      await reload();
    } catch (error) {
      tellError(t, error);
    }
  };
  return (
    <Stack gap="xs">
      <Title order={2} size="sm">
        {t("action.schedule").replace("…", "")}
      </Title>
      <Text size="xs" c="dimmed">
        {t("schedule.text")} {t("field.timezone", { zone: zone() })}
      </Text>
      <TextInput
        type="datetime-local"
        label={t("schedule.publish")}
        value={publishAt}
        onChange={(event) => setPublishAt(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t("schedule.unpublish")}
        value={unpublishAt}
        onChange={(event) => setUnpublishAt(event.currentTarget.value)}
      />
      <Button variant="default" size="xs" onClick={() => void store()}>
        {t("schedule.set")}
      </Button>
    </Stack>
  );
};
