/** DocumentIds for rows that have none here. */
import { createHash } from "node:crypto";

/** Derived from what it identifies: the same everywhere. */
export const documentIdOf = (text: string): string =>
  `g${createHash("sha256").update(text).digest("hex").slice(0, 23)}`;
