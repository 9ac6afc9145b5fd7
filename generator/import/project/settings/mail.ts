/** Settings of the email plugin. */
import { isLiteral, textOf, type Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, settle } from "./rules.ts";
import { expressionOf } from "./setting.ts";

const OPTIONS = "config.providerOptions";

const encoded = (expression: string): string => `\${encodeURIComponent(${expression})}`;

/** A value as a text in a template. */
const templateText = (value: Value | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const expression = expressionOf(value, "text");
  if (expression === undefined) return undefined;
  return value.kind === "variable" && value.fallback === undefined ? `${expression} ?? ""` : expression;
};

/** The address of a mail server, as one text with variables inserted. */
const addressOf = (reading: Reading): string | undefined => {
  const host = reading.take(`${OPTIONS}.host`);
  const port = reading.take(`${OPTIONS}.port`);
  const isSecure = isLiteral(reading.take(`${OPTIONS}.secure`), true);
  const user = templateText(reading.take(`${OPTIONS}.auth.user`));
  const password = templateText(reading.take(`${OPTIONS}.auth.pass`));
  const hostText = templateText(host);
  if (host === undefined || hostText === undefined) return undefined;
  const portText = port ? expressionOf(port, "number") : isSecure ? "465" : "587";
  if (portText === undefined) return undefined;
  const account = user === undefined ? "" : `${encoded(user)}:${encoded(password ?? '""')}@`;
  const portPart = /^\d+$/.test(portText) ? portText : `\${${portText}}`;
  const address = `\`smtp${isSecure ? "s" : ""}://${account}\${${hostText}}:${portPart}\``;
  const isSure = host.kind !== "variable" || host.fallback !== undefined;
  return isSure ? address : `${expressionOf(host, "text")} ? ${address} : undefined`;
};

const smtp = (reading: Reading): void => {
  const from = "config.provider";
  const provider = reading.take(from);
  if (provider === undefined) return;
  const name = textOf(provider) ?? "";
  if (!name.endsWith("nodemailer")) {
    reading.take(OPTIONS);
    const why = `mails go out by SMTP: set email.smtp to the address that ${name || "it"} has for that`;
    return reading.leave(from, provider, why);
  }
  const expression = addressOf(reading);
  settle(reading, from, provider, "email.smtp", expression, "set email.smtp to the address of the server");
};

/** The `email` settings of `config/plugins`. */
export const mailSettings = (reading: Reading): void => {
  smtp(reading);
  apply(reading, [
    ["config.settings.defaultFrom", "email.from", "text"],
    ["config.settings.defaultReplyTo", "email.replyTo", "text"],
  ]);
};
