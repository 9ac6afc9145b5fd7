/** How the panel shows content types and components. */
import { nearest } from "../../runtime/base/did-you-mean.ts";
import type { TypeLayout } from "../../runtime/schema/layout.ts";
import { problems } from "../diagnostics/codes.ts";
import type { JsonPath, Report } from "../diagnostics/diagnostic.ts";
import { type Prepared, type PreparedComponent, type PreparedType, valueIn } from "./prepared.ts";

type Owner = PreparedType | PreparedComponent;

/** The layout from the options of a type and of its attributes; undefined if they have none. */
export const layoutOf = ({ schema, attributes }: Owner): TypeLayout | undefined => {
  const laidOut = [...attributes].flatMap(([name, { pluginOptions: { panel } = {} }]) => {
    const raw = schema.attributes[name];
    const shown = raw?.type === "customField" ? { field: raw.customField, ...panel } : panel;
    return shown ? [[name, shown]] : [];
  });
  const layout = {
    ...schema.options.panel,
    ...(laidOut.length === 0 ? {} : { attributes: Object.fromEntries(laidOut) }),
  };
  return Object.keys(layout).length === 0 ? undefined : layout;
};

/** Types of attributes whose values do not fit in a cell of a list. */
const UNLISTED = new Set(["component", "dynamiczone", "blocks", "json", "richtext", "password"]);

/** Whether a list can show values of such a type. */
export const isColumn = (type: string): boolean => !UNLISTED.has(type);

/** Types whose values are a line of text. */
const TITLES = new Set(["string", "text", "email", "uid", "enumeration", "customField"]);

/** Whether a value of such a type can be the title of a document. */
export const isTitle = (type: string): boolean => TITLES.has(type);

const checkLayout = (owner: Owner, report: Report): void => {
  const { options, attributes } = owner.schema;
  const { title, columns = [], fields = [], groups }: TypeLayout = options.panel ?? {};
  const checkName = (name: string, key: string, fits: (type: string) => boolean, ...path: JsonPath): void => {
    const type = Object.hasOwn(attributes, name) ? attributes[name]?.type : undefined;
    if (type !== undefined && fits(type)) return;
    const place = valueIn(owner, "options", "panel", ...path);
    const suggestion = type === undefined ? nearest(name, Object.keys(attributes)) : undefined;
    report(problems.panelAttribute, place, { key, name, type }, { suggestion });
  };
  if (title !== undefined) checkName(title, "title", isTitle, "title");
  for (const [index, name] of columns.entries()) checkName(name, "columns", isColumn, "columns", index);
  for (const [index, name] of fields.entries()) checkName(name, "fields", () => true, "fields", index);
  for (const [attribute, { pluginOptions }] of Object.entries(attributes)) {
    const group = pluginOptions?.panel?.group;
    if (groups === undefined || group === undefined || groups.includes(group)) continue;
    const place = valueIn(owner, "attributes", attribute, "pluginOptions", "panel", "group");
    report(problems.panelGroup, place, { attribute, group }, { suggestion: nearest(group, groups) });
  }
};

/** Checks that layouts name existing attributes and groups. */
export const checkLayouts = ({ contentTypes, components }: Prepared, report: Report): void => {
  for (const owner of [...contentTypes, ...components]) checkLayout(owner, report);
};
