/** Sends mail. */
import type { Logger } from "../base/log.ts";
import type { Mailer } from "../base/mailer.ts";
import type { Config } from "../config/config.ts";

const smtpMailer = ({ from, replyTo }: Config["email"], address: string): Mailer => ({
  async send(mail) {
    const { createTransport } = await import("nodemailer");
    await createTransport(address).sendMail({ from, ...(replyTo === undefined ? {} : { replyTo }), ...mail });
  },
});

const consoleMailer = ({ from }: Config["email"]): Mailer => ({
  async send({ to, subject, text }) {
    process.stdout.write(`\nMail from ${from} to ${to}: ${subject}\n\n${text}\n\n`);
  },
});

const noMailer = (log: Logger): Mailer => ({
  async send({ subject }) {
    log.error(`the mail "${subject}" was not sent: email.smtp is not configured`);
  },
});

/**
 * Sends by SMTP if it is configured. Otherwise development prints mails, and production discards them and logs an
 * error.
 */
export const createMailer = (
  config: Config["email"],
  { production, log }: { production: boolean; log: Logger },
): Mailer => {
  if (config.smtp !== undefined) return smtpMailer(config, config.smtp);
  return production ? noMailer(log) : consoleMailer(config);
};
