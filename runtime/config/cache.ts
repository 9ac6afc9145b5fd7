/** The response cache of each process. */
import { z } from "zod";

export const cacheConfig = z
  .strictObject({
    /** Whether the response cache is enabled. */
    enabled: z.boolean().default(true),
    /** Most bytes of all cached responses together. */
    bytes: z
      .number()
      .int()
      .positive()
      .default(64 * 1024 * 1024),
  })
  .prefault({});
