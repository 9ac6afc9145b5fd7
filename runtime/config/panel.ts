/** The `panel` group of the configuration: the pages on which editors write. */
import { z } from "zod";

const path = z.string().regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/admin"');

/** False for no panel. */
export const panelConfig = z
  .union([
    z.literal(false),
    z.strictObject({
      /** Where the panel is. */
      path: path.default("/admin"),
      /** Types of the roles whose users may use it. Those that are missing are created; then the first may do everything. */
      roles: z
        .array(z.string().regex(/^[a-z0-9_-]+$/, "expected the type of a role"))
        .min(1)
        .default(["administrator", "editor"]),
      /** The name above the navigation. */
      title: z.string().max(60).default("Galley"),
      /** The address of a picture beside the name: a path of this server. */
      logo: z.string().startsWith("/").optional(),
      /** The page that shows a draft; `{uid}`, `{documentId}`, `{locale}` and `{slug}` stand for those of the document. */
      previewUrl: z
        .string()
        .regex(/^(?:\/|https?:\/\/)/, "expected an address")
        .optional(),
    }),
  ])
  .default(false);
