import { Modal, type ModalProps } from "@mantine/core";
import { useText } from "../i18n/index.ts";

interface Props extends Omit<ModalProps, "opened" | "onClose"> {
  readonly opened?: boolean;
  close(): void;
}

/** A dialog; by default it is open as long as it is on the page. */
export const Dialog = ({ close, ...props }: Props) => (
  <Modal opened onClose={close} closeButtonProps={{ "aria-label": useText()("action.close") }} {...props} />
);
