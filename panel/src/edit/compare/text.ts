/** Values as plain text, for comparison and export. */
import { type Attribute, type Attributes, labelOf, type Model, titleOf } from "../../api/description.ts";
import { isFile } from "../../media/thumbnail.tsx";
import { isLinked, isRecord } from "../convert.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** The text of a node of a blocks value: one line for each block. */
const nodeText = (node: unknown): string => {
  if (!isRecord(node)) return "";
  const { text, children, type, image } = node;
  if (typeof text === "string") return text;
  if (type === "image" && isRecord(image)) return String(image["name"] ?? image["url"] ?? "");
  const inner = Array.isArray(children) ? children.map(nodeText) : [];
  return inner.join(type === "list" ? "\n" : "");
};

const linkedText = (model: Model, { target }: Attribute, value: unknown): string =>
  listOf(value)
    .filter(isLinked)
    .map((item) => titleOf(model.type(target)?.attributes ?? {}, item) ?? item.documentId)
    .join(", ");

const indented = (text: string): string => text.replaceAll("\n", "\n  ");

/** An entry of a component: a line for each attribute that has a value. */
const entryText = (model: Model, attributes: Attributes, entry: Readonly<Record<string, unknown>>): string =>
  Object.entries(attributes)
    .map(([name, attribute]) => [name, textOf(model, attribute, entry[name])] as const)
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `${labelOf(attributes, name)}: ${indented(text)}`)
    .join("\n");

const entriesText = (model: Model, attribute: Attribute, value: unknown): string =>
  listOf(value)
    .filter(isRecord)
    .map((entry) => {
      const uid = attribute.type === "dynamiczone" ? String(entry["__component"]) : attribute.component;
      const component = model.component(uid);
      const text = component ? entryText(model, component.attributes, entry) : JSON.stringify(entry);
      return attribute.type === "dynamiczone" ? `${component?.displayName ?? uid}\n  ${indented(text)}` : text;
    })
    .join("\n\n");

/** The text of a value; empty if there is none. */
export const textOf = (model: Model, attribute: Attribute | undefined, value: unknown): string => {
  if (value === null || value === undefined) return "";
  switch (attribute?.type) {
    case "blocks":
      return Array.isArray(value) ? value.map(nodeText).join("\n") : JSON.stringify(value);
    case "relation":
      return linkedText(model, attribute, value);
    case "media":
      return listOf(value)
        .filter(isFile)
        .map(({ name }) => name)
        .join(", ");
    case "component":
    case "dynamiczone":
      return entriesText(model, attribute, value);
    default:
      return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
  }
};
