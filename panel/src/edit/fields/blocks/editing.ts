/** The editing commands behind the toolbar, the keys and the clipboard. */
import { Editor, Element, Node, Path, Range, Transforms } from "slate";
import type { Block, Mark } from "./types.ts";

export const isMarked = (editor: Editor, mark: Mark): boolean => Editor.marks(editor)?.[mark] === true;

export const toggleMark = (editor: Editor, mark: Mark): void => {
  if (isMarked(editor, mark)) Editor.removeMark(editor, mark);
  else Editor.addMark(editor, mark, true);
};

/** The kinds of blocks in the toolbar, by name. */
export const KINDS: Readonly<Record<string, Partial<Block>>> = {
  paragraph: { type: "paragraph" },
  heading1: { type: "heading", level: 1 },
  heading2: { type: "heading", level: 2 },
  heading3: { type: "heading", level: 3 },
  heading4: { type: "heading", level: 4 },
  quote: { type: "quote" },
  code: { type: "code" },
  unordered: { type: "list", format: "unordered" },
  ordered: { type: "list", format: "ordered" },
};

const blockAt = (editor: Editor): Block | undefined => {
  if (!editor.selection) return undefined;
  const [found] = Editor.nodes(editor, {
    match: (node) => Element.isElement(node) && node.type !== "link" && node.type !== "list-item",
    mode: "lowest",
  });
  const node = found?.[0];
  return node && Element.isElement(node) ? node : undefined;
};

/** The kind of the block at the cursor. */
export const kindAt = (editor: Editor): string => {
  const block = blockAt(editor);
  if (!block) return "paragraph";
  if (block.type === "heading") return `heading${block.level ?? 1}`;
  return block.type === "list" ? (block.format ?? "unordered") : block.type;
};

/** Changes the kind of the selected blocks. */
export const setKind = (editor: Editor, name: string): void => {
  const kind = KINDS[name];
  if (!kind?.type) return;
  Editor.withoutNormalizing(editor, () => {
    Transforms.unwrapNodes(editor, {
      match: (node) => Element.isElement(node) && node.type === "list",
      split: true,
      mode: "all",
    });
    Transforms.unsetNodes(editor, ["level", "format", "language"], {
      match: (node) => Element.isElement(node) && !editor.isInline(node),
    });
    if (kind.type === "list") {
      Transforms.setNodes(
        editor,
        { type: "list-item" },
        { match: (node) => Element.isElement(node) && !editor.isInline(node) },
      );
      Transforms.wrapNodes(editor, { type: "list", format: kind.format ?? "unordered", children: [] });
    } else Transforms.setNodes(editor, kind, { match: (node) => Element.isElement(node) && !editor.isInline(node) });
  });
};

export const setLink = (editor: Editor, url: string): void => {
  Transforms.unwrapNodes(editor, { match: (node) => Element.isElement(node) && node.type === "link" });
  if (url === "" || !editor.selection) return;
  if (Range.isCollapsed(editor.selection))
    Transforms.insertNodes(editor, { type: "link", url, children: [{ type: "text", text: url }] });
  else Transforms.wrapNodes(editor, { type: "link", url, children: [] }, { split: true });
};

export const linkAt = (editor: Editor): string | undefined => {
  const [found] = Editor.nodes(editor, { match: (node) => Element.isElement(node) && node.type === "link" });
  const node = found?.[0];
  return node && Element.isElement(node) ? node.url : undefined;
};

/** At the end of a heading or quote, Enter starts a paragraph; in an empty list item, it ends the list. */
export const breakBlock = (editor: Editor): boolean => {
  const [found] = Editor.nodes(editor, {
    match: (node) => Element.isElement(node) && !editor.isInline(node),
    mode: "lowest",
  });
  if (!found || !editor.selection || !Range.isCollapsed(editor.selection)) return false;
  const [node, path] = found;
  if (!Element.isElement(node)) return false;
  if (node.type === "code") {
    editor.insertText("\n");
    return true;
  }
  if (node.type === "list-item" && Node.string(node) === "") {
    setKind(editor, "paragraph");
    return true;
  }
  const isAtEnd = Editor.isEnd(editor, editor.selection.anchor, path);
  if (!isAtEnd || !["heading", "quote"].includes(node.type)) return false;
  Transforms.insertNodes(
    editor,
    { type: "paragraph", children: [{ type: "text", text: "" }] },
    { at: Path.next(path), select: true },
  );
  return true;
};
