import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useText } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";

interface Props {
  readonly title: string;
  readonly text: string;
  readonly value: string;
  close(): void;
}

/** Shows a secret or a link that cannot be shown again. */
export const ShownOnce = ({ title, text, value, close }: Props) => {
  const t = useText();
  return (
    <Dialog close={close} title={title} closeOnClickOutside={false}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Alert color="ink" variant="light" p="sm">
          <Code style={{ overflowWrap: "anywhere", background: "none", padding: 0 }}>{value}</Code>
        </Alert>
        <Group justify="flex-end">
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {t(copied ? "action.copied" : "action.copy")}
              </Button>
            )}
          </CopyButton>
          <Button onClick={close}>{t("action.done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
