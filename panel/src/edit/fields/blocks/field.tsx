/** The blocks editor. It works on the stored value itself, so no conversion can lose anything. */
import { hashKey } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { createEditor, type Descendant, Editor, Transforms } from "slate";
import { withHistory } from "slate-history";
import {
  Editable,
  type RenderElementProps,
  type RenderLeafProps,
  type RenderPlaceholderProps,
  Slate,
  withReact,
} from "slate-react";
import { useText } from "../../../i18n/index.ts";
import type { FieldProps } from "../../field.tsx";
import { useField } from "../../form.ts";
import { FieldFrame } from "../frame.tsx";
import { JsonField } from "../json.tsx";
import { breakBlock, toggleMark } from "./editing.ts";
import { blocksFromHtml } from "./paste.ts";
import { Toolbar } from "./toolbar.tsx";
import { type Mark, nodesIn, storedForm } from "./types.ts";

const KEYS: Readonly<Record<string, Mark>> = { b: "bold", i: "italic", u: "underline", e: "code" };

const withBlocks = (editor: Editor): Editor => {
  const { insertData, insertBreak, isInline, isVoid } = editor;
  // However many blocks there are, a key renders those of one group again.
  editor.getChunkSize = (node) => (Editor.isEditor(node) ? 100 : null);
  editor.isInline = (element) => element.type === "link" || isInline(element);
  editor.isVoid = (element) => element.type === "image" || isVoid(element);
  editor.insertBreak = () => {
    if (!breakBlock(editor)) insertBreak();
  };
  editor.insertData = (data) => {
    const html = data.getData("text/html");
    const isOwn = data.getData("application/x-slate-fragment") !== "";
    const blocks = html === "" || isOwn ? [] : blocksFromHtml(html);
    if (blocks.length === 0) insertData(data);
    else Transforms.insertFragment(editor, blocks);
  };
  return editor;
};

const BlockElement = ({ attributes, element, children }: RenderElementProps) => {
  switch (element.type) {
    case "heading": {
      // Paragraphs, so that headings of the text do not count as headings of the page.
      const sizes = ["1.5rem", "1.3rem", "1.12rem", "1rem", "0.95rem", "0.9rem"];
      return (
        <p {...attributes} style={{ fontSize: sizes[(element.level ?? 1) - 1], fontWeight: 650 }}>
          {children}
        </p>
      );
    }
    case "quote":
      return <blockquote {...attributes}>{children}</blockquote>;
    case "code":
      return (
        <pre {...attributes}>
          <code>{children}</code>
        </pre>
      );
    case "list":
      return element.format === "ordered" ? <ol {...attributes}>{children}</ol> : <ul {...attributes}>{children}</ul>;
    case "list-item":
      return <li {...attributes}>{children}</li>;
    case "link":
      return (
        <span
          {...attributes}
          title={element.url}
          style={{ color: "var(--mantine-primary-color-filled)", textDecoration: "underline" }}
        >
          {children}
        </span>
      );
    case "image":
      return (
        <div {...attributes}>
          <img src={element.image?.url} alt={element.image?.alternativeText ?? ""} contentEditable={false} />
          {children}
        </div>
      );
    default:
      return <p {...attributes}>{children}</p>;
  }
};

/** Paler than text, but still easy to read. */
const Placeholder = ({ attributes, children }: RenderPlaceholderProps) => (
  <span {...attributes} style={{ ...attributes.style, opacity: 1, color: "var(--mantine-color-placeholder)" }}>
    {children}
  </span>
);

const Leaf = ({ attributes, leaf, children }: RenderLeafProps) => {
  const { bold, italic, underline, strikethrough, code } = leaf;
  let shown = children;
  if (code) shown = <code>{shown}</code>;
  if (bold) shown = <strong>{shown}</strong>;
  if (italic) shown = <em>{shown}</em>;
  if (underline) shown = <u>{shown}</u>;
  if (strikethrough) shown = <s>{shown}</s>;
  return <span {...attributes}>{shown}</span>;
};

interface WritingProps extends FieldProps {
  readonly nodes: Descendant[];
}

const Writing = ({ label, path, attribute, readOnly, nodes }: WritingProps) => {
  const t = useText();
  const { value, fault, set } = useField(path);
  const [editor] = useState(() => withBlocks(withHistory(withReact(createEditor()))));
  const written = useRef(value);

  useEffect(() => {
    // Otherwise the value was replaced from outside: by another version, or by restored input.
    if (written.current === value) return;
    written.current = value;
    const next = nodesIn(value);
    // The same text, as after a save: the writer goes on where the cursor is.
    if (!next || hashKey([value]) === hashKey([storedForm(editor.children)])) return;
    editor.children = next;
    Transforms.deselect(editor);
    Editor.normalize(editor, { force: true });
    editor.onChange();
  }, [editor, value]);

  const press = (event: KeyboardEvent): void => {
    const mark = event.metaKey || event.ctrlKey ? KEYS[event.key] : undefined;
    if (!mark) return;
    event.preventDefault();
    toggleMark(editor, mark);
  };

  return (
    <FieldFrame label={label} attribute={attribute} fault={fault}>
      <div className="writing">
        <Slate
          editor={editor}
          initialValue={nodes}
          onValueChange={(next) => {
            const stored = storedForm(next);
            written.current = stored;
            set(stored);
          }}
        >
          <Toolbar label={label} readOnly={readOnly} />
          <Editable
            className="writing-text prose"
            aria-label={label}
            placeholder={attribute.panel?.placeholder ?? t("blocks.placeholder")}
            renderPlaceholder={Placeholder}
            readOnly={readOnly}
            spellCheck
            renderElement={BlockElement}
            renderLeaf={Leaf}
            onKeyDown={press}
          />
        </Slate>
      </div>
    </FieldFrame>
  );
};

export const BlocksField = (props: FieldProps) => {
  const { value } = useField(props.path);
  const nodes = useMemo(() => nodesIn(value), [value]);
  // The editor would drop unknown nodes.
  return nodes ? <Writing {...props} nodes={nodes} /> : <JsonField {...props} />;
};
