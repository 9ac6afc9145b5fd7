/** Signs requests as Standard Webhooks specifies: https://www.standardwebhooks.com. */
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** The bytes of a secret: decoded from base64, or those of the text itself. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);

/** The headers with the event's id, the time of sending, and the signature. */
export const standardHeaders = (
  secret: string | undefined,
  { id, body, now }: { readonly id: string; readonly body: string; now(): number },
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now() / 1000));
  const named = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === undefined) return named;
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...named, "webhook-signature": `v1,${signature}` };
};
