import { Progress, Stack, Text } from "@mantine/core";
import { useText } from "../i18n/index.ts";
import type { useUpload } from "./upload.ts";

/** The progress of an upload, while there is one. */
export const Uploading = ({ isBusy, waiting, share }: Omit<ReturnType<typeof useUpload>, "upload">) => {
  const t = useText();
  return isBusy ? (
    <Stack gap={4} role="status">
      <Text size="sm">{t("media.uploading", { n: waiting })}</Text>
      <Progress value={share} aria-label={t("media.upload")} />
    </Stack>
  ) : null;
};
