/** Digests that tell whether something must be regenerated. */
import { createHash } from "node:crypto";

/** Changes with any of the parts. */
export const digestOf = (parts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("hex");
};
