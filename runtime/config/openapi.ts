/** The `openapi` group of the configuration. */
import { z } from "zod";

const path = z.string().regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/documentation", or false');

export const openapiConfig = z
  .strictObject({
    /**
     * Who may read the document and the page: `development`: everybody, but only in development; `public`: everybody;
     * `disabled`: nobody.
     */
    access: z.enum(["development", "public", "disabled"]).default("development"),
    /** The path of the page that shows the document; `false` for no page. */
    page: z.union([z.literal(false), path]).default("/documentation"),
    /** Whether `cms generate` writes the document to `openapi.json` beside the other generated files. */
    artifact: z.boolean().default(true),
  })
  .prefault({});
