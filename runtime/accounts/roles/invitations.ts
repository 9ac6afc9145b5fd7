/** Links with which users of the panel set a password. */
import { randomBytes } from "node:crypto";
import type { Config } from "../../config/config.ts";
import { issueCode } from "../codes.ts";
import type { AccountServices } from "../services.ts";
import type { User } from "../users/user-store.ts";

/** Seconds for which a link is valid. */
const LIFESPAN = 3 * 24 * 60 * 60;

/** A single-use path of the panel where a user sets a password. Earlier ones are no longer valid. */
export const invitation = async (
  { database }: Pick<AccountServices, "database">,
  { documentId }: User,
): Promise<string> => `/welcome#${await issueCode(database, "invitation", documentId, LIFESPAN)}`;

/** A password that nobody knows, for a user who has yet to set one. */
export const unknownPassword = (): string => randomBytes(32).toString("base64url");

/** Creates the link with which a user sets a password, and mails it if mail is configured. */
export const invite = async (
  services: AccountServices,
  { path, title }: Pick<Exclude<Config["panel"], false>, "path" | "title">,
  user: User,
): Promise<{ readonly link: string; readonly isMailed: boolean }> => {
  const { config, mailer, log } = services;
  const { url, port } = config.server;
  const link = `${url || `http://localhost:${port}`}${path}${await invitation(services, user)}`;
  if (config.email.smtp === undefined) return { link, isMailed: false };
  // Nothing here may be chosen by the user, who might have registered with another person's address.
  const words = `You have an account to write for ${title}. To choose a password, open this page:\n${link}\n\nIt is good for three days and can be used once.\n\n--\n\nSie haben ein Konto, um für ${title} zu schreiben. Wählen Sie auf dieser Seite ein Passwort:\n${link}\n\nSie gilt drei Tage und einmal.`;
  const isMailed = await mailer.send({ to: user.email, subject: title, text: words }).then(
    () => true,
    (error: unknown) => {
      log.error({ err: error }, "the invitation could not be mailed");
      return false;
    },
  );
  return { link, isMailed };
};
