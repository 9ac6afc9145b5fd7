/** Caching of answers and totals, in each process. */
import { z } from "zod";

export const cacheConfig = z
  .strictObject({
    /** Whether anything is cached. */
    enabled: z.boolean().default(true),
    /** Most bytes of all answers together. */
    bytes: z
      .number()
      .int()
      .positive()
      .default(64 * 1024 * 1024),
  })
  .prefault({});
