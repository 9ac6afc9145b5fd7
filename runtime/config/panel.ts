/** The `panel` group of the configuration: the pages where editors work. */
import { z } from "zod";

const path = z.string().regex(/^(?:\/[\w.~-]+)+$/, 'expected a path such as "/admin"');

/** False disables the panel. */
export const panelConfig = z
  .union([
    z.literal(false),
    z.strictObject({
      /** Where the panel is. */
      path: path.default("/admin"),
      /** Types of the roles whose users may use it. Missing ones are created; if the first is, it may do everything. */
      roles: z
        .array(z.string().regex(/^[a-z0-9_-]+$/, "expected the type of a role"))
        .min(1)
        .default(["administrator", "editor"]),
      /** The name above the navigation. */
      title: z.string().max(60).default("Galley"),
      /** The image beside the name: a path on this server. */
      logo: z.string().startsWith("/").optional(),
      /** The page that previews a draft; `{uid}`, `{documentId}`, `{locale}` and `{slug}` are those of the document. */
      previewUrl: z
        .string()
        .regex(/^(?:\/|https?:\/\/)/, "expected an address")
        .optional(),
    }),
  ])
  .default(false);
