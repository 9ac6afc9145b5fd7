/** Short names for the nodes of rich text. */
import type { BlockNode } from "galley-cms/content-type";

const text = (value: string): BlockNode => ({ type: "text", text: value });

export const paragraph = (value: string): BlockNode => ({ type: "paragraph", children: [text(value)] });

export const heading = (value: string): BlockNode => ({ type: "heading", level: 2, children: [text(value)] });

export const quote = (value: string): BlockNode => ({ type: "quote", children: [text(value)] });

export const list = (...items: readonly string[]): BlockNode => ({
  type: "list",
  format: "unordered",
  children: items.map((item) => ({ type: "list-item", children: [text(item)] })),
});
