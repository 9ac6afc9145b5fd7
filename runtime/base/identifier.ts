import { createHash } from "node:crypto";

/** PostgreSQL silently truncates identifiers after this many bytes. */
const LIMIT = 63;

/**
 * Joins the parts of a table, column, index or constraint name with `_`. A name over 63 bytes is truncated and ends in
 * eight hex digits of its hash, so that two long names stay distinct.
 */
export const identifier = (...parts: readonly string[]): string => {
  const name = parts.join("_");
  if (Buffer.byteLength(name) <= LIMIT) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  let head = Buffer.from(name)
    .subarray(0, LIMIT - hash.length - 1)
    .toString();
  // Cutting a multi-byte character in half leaves a replacement character.
  if (head.endsWith("\u{FFFD}")) head = head.slice(0, -1);
  return `${head}_${hash}`;
};
