/** Short names for the nodes of rich text. */
import type { HeadingNode, ListNode, ParagraphNode, QuoteNode, TextNode } from "galley-cms/document";

const text = (value: string): TextNode => ({ type: "text", text: value });

export const paragraph = (value: string): ParagraphNode => ({ type: "paragraph", children: [text(value)] });

export const heading = (value: string): HeadingNode => ({ type: "heading", level: 2, children: [text(value)] });

export const quote = (value: string): QuoteNode => ({ type: "quote", children: [text(value)] });

export const list = (...items: readonly string[]): ListNode => ({
  type: "list",
  format: "unordered",
  children: items.map((item) => ({ type: "list-item", children: [text(item)] })),
});
