import { Button, Group, Modal, type ModalProps, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { messageOf } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { Fault } from "./states.tsx";

interface Props {
  readonly title: string;
  readonly action?: string;
  readonly size?: ModalProps["size"];
  readonly isComplete?: boolean;
  readonly children: ReactNode;
  /** If this rejects, the dialog shows why, and stays. */
  submit(): Promise<void>;
  close(): void;
}

/** A dialog with a form. */
export const FormDialog = ({ title, action, size, isComplete = true, children, submit, close }: Props) => {
  const t = useText();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await submit();
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} size={size} title={title} closeButtonProps={{ "aria-label": t("action.close") }}>
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Fault text={fault} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isComplete}>
              {action ?? t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
