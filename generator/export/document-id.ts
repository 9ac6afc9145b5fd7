/** DocumentIds of what has none here. */
import { createHash } from "node:crypto";

/** Made of what it stands for: the same everywhere. */
export const documentIdOf = (text: string): string =>
  `g${createHash("sha256").update(text).digest("hex").slice(0, 23)}`;
