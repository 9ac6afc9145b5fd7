/** Schedules when a draft is published and unpublished. */
import { Button, Stack, TextInput, Title } from "@mantine/core";
import { send } from "../api/client.ts";
import { useModel } from "../api/description.ts";
import { pathOf, type Schedule } from "../api/documents.ts";
import { useText } from "../i18n/index.ts";
import { useInputs } from "../ui/inputs.ts";
import { Muted } from "../ui/states.tsx";
import { useTask } from "../ui/task.ts";
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
  const run = useTask();
  const { reload } = useWriting(place);
  const { values, text } = useInputs({
    publishAt: toLocal(schedule?.publishAt),
    unpublishAt: toLocal(schedule?.unpublishAt),
  });
  const { type, documentId, locale } = place;
  if (!model.canIn(`${type.uid}.schedule`, locale)) return null;
  const store = () =>
    run(t("edit.saved"), async () => {
      const data = { publishAt: fromLocal(values.publishAt), unpublishAt: fromLocal(values.unpublishAt) };
      const query = locale === undefined ? {} : { locale };
      await send("POST", `${pathOf(type, documentId)}/actions/schedule`, { query, body: { data } });
      await reload();
    });
  return (
    <Stack gap="xs">
      <Title order={2} size="sm">
        {t("action.schedule").replace("…", "")}
      </Title>
      <Muted size="xs">
        {t("schedule.text")} {t("field.timezone", { zone: zone() })}
      </Muted>
      <TextInput type="datetime-local" label={t("schedule.publish")} {...text("publishAt")} />
      <TextInput type="datetime-local" label={t("schedule.unpublish")} {...text("unpublishAt")} />
      <Button variant="default" size="xs" onClick={() => void store()}>
        {t("schedule.set")}
      </Button>
    </Stack>
  );
};
