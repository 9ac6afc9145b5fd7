/** The nodes of a blocks text, stored exactly as the editor has them. */
import type { BaseEditor, Descendant } from "slate";
import type { HistoryEditor } from "slate-history";
import type { ReactEditor } from "slate-react";

interface TextNode {
  readonly type?: "text";
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strikethrough?: boolean;
  readonly code?: boolean;
}

export type Mark = "bold" | "italic" | "underline" | "strikethrough" | "code";

export interface Block {
  readonly type: "paragraph" | "heading" | "list" | "list-item" | "quote" | "code" | "image" | "link";
  readonly level?: number;
  readonly format?: "ordered" | "unordered";
  readonly indentLevel?: number;
  readonly language?: string;
  readonly url?: string;
  readonly image?: { readonly url: string; readonly alternativeText?: string | null };
  readonly children: Descendant[];
}

declare module "slate" {
  interface CustomTypes {
    Editor: BaseEditor & ReactEditor & HistoryEditor;
    Element: Block;
    Text: TextNode;
  }
}

const TYPES = new Set(["paragraph", "heading", "list", "list-item", "quote", "code", "image", "link"]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Nodes that were found to be such. Nodes are never changed, so after a key only those on the way to it are looked at. */
const known = new WeakSet<object>();

const isNode = (value: unknown): value is Descendant => {
  if (!isObject(value)) return false;
  if (known.has(value)) return true;
  const isText = typeof value["text"] === "string";
  const { children } = value;
  if (!isText && !(TYPES.has(String(value["type"])) && Array.isArray(children) && children.every(isNode))) return false;
  known.add(value);
  return true;
};

const EMPTY: Descendant[] = [{ type: "paragraph", children: [{ type: "text", text: "" }] }];

/** The nodes of a stored value, at least one of them; undefined if the editor cannot show the whole value. */
export const nodesIn = (value: unknown): Descendant[] | undefined => {
  if (value === null || value === undefined) return EMPTY;
  if (!Array.isArray(value) || !value.every(isNode)) return undefined;
  return value.length === 0 ? EMPTY : value;
};

/** The stored forms of nodes, and of these themselves. */
const stored = new WeakMap<Descendant, Descendant>();

const named = (node: Descendant): Descendant => {
  const known = stored.get(node);
  if (known) return known;
  const form: Descendant = "text" in node ? { ...node, type: "text" } : { ...node, children: node.children.map(named) };
  stored.set(node, form).set(form, form);
  return form;
};

/** The stored form: text nodes get their `type`, and a text without characters becomes null. */
export const storedForm = (nodes: readonly Descendant[]): readonly Descendant[] | null => {
  const [first, ...others] = nodes;
  const isEmpty =
    others.length === 0 && first && "children" in first && first.type === "paragraph" && textLength(first) === 0;
  return isEmpty ? null : nodes.map(named);
};

const textLength = (node: Descendant): number =>
  "text" in node ? node.text.length : node.children.reduce((sum, child) => sum + textLength(child), 0);
