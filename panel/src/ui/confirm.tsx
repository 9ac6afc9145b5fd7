import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useText } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";

interface Question {
  readonly text: string;
  readonly action: string;
  done(): void;
}

/** Asks for confirmation before an action that cannot be undone. */
export const useConfirm = () => {
  const t = useText();
  const [question, setQuestion] = useState<Question>();
  const close = (): void => setQuestion(undefined);
  const dialog = (
    <Dialog opened={question !== undefined} close={close} title={question?.action} centered size="sm">
      <Text size="sm">{question?.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          {t("action.cancel")}
        </Button>
        <Button
          color="red"
          data-autofocus
          onClick={() => {
            close();
            question?.done();
          }}
        >
          {question?.action}
        </Button>
      </Group>
    </Dialog>
  );
  const confirm = (text: string, action: string, done: () => void): void => setQuestion({ text, action, done });
  /** Asks before something is deleted. */
  const confirmDeletion = (what: string, done: () => unknown): void =>
    confirm(t("confirm.delete", { count: what }), t("action.delete"), () => void done());
  return { confirm, confirmDeletion, dialog };
};
