/**
 * The mails of authentication. They are plain text, and contain nothing that users have entered: anybody may register
 * with another person's address, and could make us send that person their text.
 */
import { secondsOf } from "../../base/duration.ts";
import { issueCode } from "../codes.ts";
import type { AccountServices } from "../services.ts";
import type { User } from "./user-store.ts";

/** Adds a code to an address. */
const withCode = (page: string, name: string, code: string): string => {
  const separator = page.includes("?") ? "&" : "?";
  return `${page}${separator}${name}=${code}`;
};

/** The public address of one of our routes. */
export const publicAddress = ({ config }: AccountServices, path: string): string =>
  `${config.server.url || `http://localhost:${config.server.port}`}${config.rest.prefix}${path}`;

/** Sends the code for a new password. */
export const mailResetCode = async (services: AccountServices, user: User): Promise<void> => {
  const { config, database, mailer } = services;
  const code = await issueCode(database, "reset-password", user.documentId, secondsOf(config.auth.resetCodeLifespan));
  const page = config.auth.pages.resetPassword || publicAddress(services, "/auth/reset-password");
  const text = `Somebody, hopefully you, asked for a new password for the account with this address.

To choose one, open this page:
${withCode(page, "code", code)}

It is good for ${config.auth.resetCodeLifespan} and can be used once. If you did not ask, there is nothing to do.`;
  await mailer.send({ to: user.email, subject: "Reset your password", text });
};

/** Sends the link that confirms an address. */
export const mailConfirmation = async (services: AccountServices, user: User): Promise<void> => {
  const { config, database, mailer } = services;
  const lifespan = secondsOf(config.auth.confirmationCodeLifespan);
  const code = await issueCode(database, "confirm-email", user.documentId, lifespan);
  const address = withCode(publicAddress(services, "/auth/email-confirmation"), "confirmation", code);
  const text = `To confirm that this address is yours, open this page:
${address}

It is good for ${config.auth.confirmationCodeLifespan} and can be used once.`;
  await mailer.send({ to: user.email, subject: "Confirm your e-mail address", text });
};

/** Sends a mail in the background: waiting for it would reveal by the response time whether the user exists. */
export const inBackground = ({ background }: AccountServices, work: Promise<void>): void =>
  background.run(work, "a mail could not be sent");
