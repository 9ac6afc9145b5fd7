/** How the panel shows things: `pluginOptions.panel` of attributes, `options.panel` of content types and components. */
import { z } from "zod";
import { panelIcons, panelWidths } from "../../runtime/schema/layout.ts";

const text = z.string().min(1).optional();
const names = z.array(z.string()).optional();

export const attributePanel = z.object({
  label: text,
  help: text,
  placeholder: text,
  /** The heading under which the form shows it. */
  group: text,
  /** Of twelve columns. */
  width: z.literal(panelWidths).optional(),
  hidden: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  /** The name of a control in the project's `panel/extensions.tsx`. */
  field: text,
});

export const componentPanel = z.object({
  /** The attribute whose value is the title of a document or entry. */
  title: text,
  /** The order of the groups. */
  groups: names,
  /** The order of the fields in forms; those that it does not name come last. */
  fields: names,
});

export const typePanel = componentPanel.extend({
  /** The attributes that a list shows. */
  columns: names,
  icon: z.enum(panelIcons).optional(),
  /** The position in the navigation, ascending; types without one come last. */
  order: z.number().optional(),
});
