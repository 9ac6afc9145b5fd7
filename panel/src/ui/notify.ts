import { notifications } from "@mantine/notifications";
import { messageOf, RequestError } from "../api/client.ts";
import type { Translate } from "../i18n/index.ts";

export const tell = (message: string): void => {
  notifications.show({ message, color: "teal", autoClose: 2500, withCloseButton: false });
};

/** Shows an error, with the server's message. */
export const tellError = (t: Translate, error: unknown): void => {
  const message = error instanceof RequestError && error.status === 0 ? t("error.network") : messageOf(error);
  const closeButtonProps = { "aria-label": t("action.close") };
  notifications.show({ title: t("error.title"), message, color: "red", autoClose: 8000, closeButtonProps });
};
