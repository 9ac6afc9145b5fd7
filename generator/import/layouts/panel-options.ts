/** How Strapi's content manager shows a type or component, in the words of our schema files. */
import { z } from "zod";
import { panelWidths } from "../../../runtime/schema/layout.ts";
import { isColumn, isTitle } from "../../model/layouts.ts";

const text = z.string().catch("");
const names = z.array(z.string()).catch([]);

/** A setting of the content manager, of version 4 or 5. */
const storedLayout = z.object({
  settings: z.looseObject({ mainField: text }),
  metadatas: z.record(
    z.string(),
    z.object({
      edit: z.object({ label: text, description: text, placeholder: text, editable: z.boolean().catch(true) }),
      list: z.object({ label: text }),
    }),
  ),
  layouts: z.object({
    list: names,
    edit: z.array(z.array(z.object({ name: z.string(), size: z.number() }))),
    editRelations: names,
  }),
});
type StoredLayout = z.output<typeof storedLayout>;

type Attributes = Readonly<Record<string, { readonly type: string }>>;

export type Options = Readonly<Record<string, unknown>>;

const FULL = 12;
const WIDE = new Set(["blocks", "component", "dynamiczone", "json", "richtext"]);
const NARROW = new Set(["biginteger", "boolean", "date", "decimal", "float", "integer", "time"]);

/** The size that Strapi gives a field until somebody changes it. */
const usualSize = (type = ""): number => {
  if (WIDE.has(type)) return FULL;
  return NARROW.has(type) ? 4 : 6;
};

const nearestWidth = (size: number): number => panelWidths.findLast((width) => width <= size) ?? panelWidths[0];

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** Without what is not set. */
const defined = (options: Options): Options =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ""));

/** What a field is, beside its label. */
const formOf = (
  { layouts: { edit, editRelations, list } }: StoredLayout,
  attributes: Attributes,
  isListed: boolean,
) => {
  const fields = edit.flat().filter(({ name }) => Object.hasOwn(attributes, name));
  const order = fields.map(({ name }) => name);
  const shown = new Set([...order, ...editRelations]);
  const declared = Object.keys(attributes).filter((name) => order.includes(name));
  const isResized = fields.some(({ name, size }) => size !== usualSize(attributes[name]?.type));
  return {
    fields: isSame(order, declared) ? undefined : order,
    options(name: string, isEditable: boolean): Options {
      const size = fields.find((field) => field.name === name)?.size ?? FULL;
      const isHidden = !shown.has(name) && !(isListed && list.includes(name));
      return {
        width: isResized && size < FULL ? nearestWidth(size) : undefined,
        hidden: isHidden || undefined,
        readOnly: (!isHidden && !(isEditable && shown.has(name))) || undefined,
      };
    },
  };
};

/** The title and columns, if somebody chose them: otherwise Strapi took the first attributes that fit. */
const listOf = (
  { settings: { mainField }, layouts: { list } }: StoredLayout,
  attributes: Attributes,
  isListed: boolean,
) => {
  const typeOf = (name: string): string => (Object.hasOwn(attributes, name) ? (attributes[name]?.type ?? "") : "");
  const all = Object.keys(attributes);
  const isUsual = mainField === all.find((name) => typeOf(name) === "string") || !isTitle(typeOf(mainField));
  const title = isUsual ? undefined : mainField;
  const chosen = list.filter((name) => Object.hasOwn(attributes, name));
  const usual = all.filter((name) => isColumn(typeOf(name))).slice(0, chosen.length);
  const columns = chosen.filter((name) => name !== mainField && isColumn(typeOf(name)));
  return { title, columns: isListed && !isSame(chosen, usual) && columns.length > 0 ? columns : undefined };
};

/** What is to be said of a type or component in its schema file; undefined for a setting of another shape. */
export const panelOptions = (stored: unknown, attributes: Attributes, isListed: boolean) => {
  const { data: layout } = storedLayout.safeParse(stored);
  if (!layout) return undefined;
  const form = formOf(layout, attributes, isListed);
  const { title, columns } = listOf(layout, attributes, isListed);
  const known = Object.entries(layout.metadatas).filter(([name]) => Object.hasOwn(attributes, name));
  const laidOut = known.map(([name, { edit, list }]): readonly [string, Options] => {
    const label = [edit.label, list.label].find((each) => each !== "" && each !== name);
    const options = form.options(name, edit.editable);
    return [name, defined({ label, help: edit.description, placeholder: edit.placeholder, ...options })];
  });
  return { options: defined({ title, columns, fields: form.fields }), attributes: new Map(laidOut) };
};
