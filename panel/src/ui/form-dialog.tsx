import { Button, Group, type ModalProps, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { messageOf } from "../api/client.ts";
import { useText } from "../i18n/index.ts";
import { Dialog } from "./dialog.tsx";
import { tell } from "./notify.ts";
import { Fault } from "./states.tsx";

interface Props<Result> {
  readonly title: string;
  readonly action?: string;
  readonly size?: ModalProps["size"];
  readonly isComplete?: boolean;
  /** Said when the form is stored. */
  readonly done?: string;
  /** The key of the queries that the form makes outdated. */
  readonly changes: string;
  readonly children: ReactNode;
  /** If this rejects, the dialog shows why, and stays; otherwise it closes. */
  submit(): Promise<Result>;
  close(): void;
  stored?(result: Result): void;
}

/** A dialog with a form. */
export const FormDialog = <Result,>({
  title,
  action,
  size,
  isComplete = true,
  done,
  changes,
  children,
  submit,
  close,
  stored,
}: Props<Result>) => {
  const t = useText();
  const queries = useQueryClient();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    // A form around the dialog is not submitted with it.
    event.stopPropagation();
    setBusy(true);
    setFault(undefined);
    try {
      const result = await submit();
      if (done !== undefined) tell(done);
      await queries.invalidateQueries({ queryKey: [changes] });
      close();
      stored?.(result);
    } catch (error) {
      setFault(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog close={close} size={size} title={title}>
      <form onSubmit={(event) => void send(event)} onChange={() => setFault(undefined)}>
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
    </Dialog>
  );
};
