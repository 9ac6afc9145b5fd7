import { notifications } from "@mantine/notifications";
import { askToSignIn, isSignedOut, messageOf, RequestError } from "../api/client.ts";
import type { TextKey } from "../i18n/index.ts";
import type { Translate } from "../i18n/index.ts";

export const tell = (message: string): void => {
  notifications.show({ message, color: "teal", autoClose: 2500, withCloseButton: false });
};

/** Errors with a text of our own, by status; 0 is that of a server that does not answer. */
const TEXTS: Readonly<Record<number, TextKey>> = {
  0: "error.network",
  403: "error.refused",
  404: "edit.notFound",
  413: "error.tooLarge",
  502: "error.network",
  503: "error.network",
  504: "error.network",
};

/** Shows an error, with the server's message if there is no text of ours. */
export const tellError = (t: Translate, error: unknown): void => {
  // The dialog for signing in says so.
  if (isSignedOut(error)) return askToSignIn();
  const key = error instanceof RequestError ? TEXTS[error.status] : undefined;
  const message = key === undefined ? messageOf(error) : t(key);
  const closeButtonProps = { "aria-label": t("action.close") };
  notifications.show({ title: t("error.title"), message, color: "red", autoClose: 8000, closeButtonProps });
};
