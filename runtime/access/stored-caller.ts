/** Who did something, as stored in tables. */
import { z } from "zod";
import type { Caller } from "./caller.ts";

const callerShape = z.object({
  kind: z.enum(["public", "user", "token", "system"]),
  userId: z.number().optional(),
  tokenId: z.number().optional(),
});

/** The stored caller. */
export const callerOf = (stored: unknown): z.infer<typeof callerShape> =>
  callerShape.parse(typeof stored === "string" ? JSON.parse(stored) : stored);

/** What is stored of a caller. */
export const callerText = ({ kind, userId, userDocumentId, tokenId }: Caller): string =>
  JSON.stringify({ kind, userId, userDocumentId, tokenId });
