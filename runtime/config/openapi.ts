/** The `openapi` group of the configuration. */
import { z } from "zod";

const path = z.string().regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/documentation", or false');

export const openapiConfig = z
  .strictObject({
    /** Who may read the document and the page: everybody in `development`, everybody (`public`), or nobody. */
    access: z.enum(["development", "public", "disabled"]).default("development"),
    /** Where the page is that shows the document; `false`: nowhere. */
    page: z.union([z.literal(false), path]).default("/documentation"),
    /** Whether `cms generate` writes the document to `openapi.json` beside the other generated files. */
    artifact: z.boolean().default(true),
  })
  .prefault({});
