/** Blocks from pasted HTML. What Word, Google Docs and web pages put around their text is left out. */
import type { Descendant } from "slate";
import type { Mark } from "./types.ts";

const MARKS: Readonly<Record<string, Mark>> = {
  STRONG: "bold",
  B: "bold",
  EM: "italic",
  I: "italic",
  U: "underline",
  S: "strikethrough",
  DEL: "strikethrough",
  CODE: "code",
};

type Marks = Readonly<Partial<Record<Mark, boolean>>>;

/** A property in the style of an element. The page's policy keeps browsers from parsing such styles. */
const styleOf = (element: Element, property: string): string =>
  new RegExp(`(?:^|[;\\s])${property}\\s*:\\s*([^;]+)`, "i").exec(element.getAttribute("style") ?? "")?.[1]?.trim() ??
  "";

/** The marks inside an element, by its tag and, as in Google Docs, by its style, which may also end a mark. */
const marksIn = (element: HTMLElement, around: Marks): Marks => {
  const mark = MARKS[element.tagName];
  const weight = styleOf(element, "font-weight");
  const slant = styleOf(element, "font-style");
  const line = styleOf(element, "text-decoration") + styleOf(element, "text-decoration-line");
  return {
    ...around,
    ...(mark ? { [mark]: true } : {}),
    ...(weight === "" ? {} : { bold: /^(?:bold|bolder|[6-9]00)$/i.test(weight) }),
    ...(slant === "" ? {} : { italic: /italic/i.test(slant) }),
    ...(/underline/i.test(line) && element.tagName !== "A" ? { underline: true } : {}),
    ...(/line-through/i.test(line) ? { strikethrough: true } : {}),
  };
};

const textNode = (text: string, marks: Marks): Descendant => ({
  type: "text",
  text,
  ...Object.fromEntries(Object.entries(marks).filter(([, isOn]) => isOn)),
});

/** Elements without text for the reader. Word writes the signs of lists as text that is marked as ignorable. */
const isLeftOut = (element: Element): boolean =>
  /^(?:STYLE|SCRIPT|TITLE|META|UL|OL|TEMPLATE)$/.test(element.tagName) ||
  /mso-list:\s*ignore/i.test(element.getAttribute("style") ?? "");

/** The texts and links in a run of nodes. */
const inlineIn = (nodes: Iterable<globalThis.Node>, marks: Marks): Descendant[] =>
  [...nodes].flatMap((node): Descendant[] => {
    if (node.nodeType === globalThis.Node.TEXT_NODE) {
      const text = (node.textContent ?? "").replaceAll(/\s+/g, " ");
      return text === "" ? [] : [textNode(text, marks)];
    }
    if (!(node instanceof HTMLElement) || isLeftOut(node)) return [];
    if (node.tagName === "BR") return [textNode("\n", marks)];
    const inner = inlineIn(node.childNodes, marksIn(node, marks));
    const url = node.tagName === "A" ? node.getAttribute("href") : null;
    return url !== null && /^(?:https?:|mailto:|\/)/.test(url) && inner.length > 0
      ? [{ type: "link", url, children: inner }]
      : inner;
  });

const inlineOf = (element: HTMLElement): Descendant[] => filled(inlineIn(element.childNodes, {}));

/** Headings are bold by themselves. */
const withoutBold = (node: Descendant): Descendant => {
  if (!("text" in node)) return node;
  const { bold: _bold, ...rest } = node;
  return rest;
};

const filled = (children: Descendant[]): Descendant[] =>
  children.length > 0 ? children : [{ type: "text", text: "" }];

const itemOf = (element: HTMLElement): Descendant => ({
  type: "list-item",
  children: inlineOf(element),
});

/** A list; nested ones become items of the outer one. */
const listOf = (element: HTMLElement): Descendant[] => {
  const items = [...element.querySelectorAll("li")].map(itemOf);
  const format = element.tagName === "OL" ? "ordered" : "unordered";
  return items.length === 0 ? [] : [{ type: "list", format, children: items }];
};

const BLOCKS = /^(?:P|H[1-6]|UL|OL|LI|BLOCKQUOTE|PRE|DIV|SECTION|ARTICLE|MAIN|TABLE|TBODY|THEAD|TR|TD|TH)$/;

/** Whether a node is a block, or contains one: Google Docs puts everything into a `<b>`. */
const isBlock = (node: globalThis.Node): node is HTMLElement =>
  node instanceof HTMLElement && (BLOCKS.test(node.tagName) || [...node.children].some(isBlock));

const paragraph = (children: Descendant[]): Descendant[] =>
  children.some((node) => !("text" in node) || node.text.trim() !== "") ? [{ type: "paragraph", children }] : [];

/** The blocks in an element. What stands between blocks becomes paragraphs. */
const childrenOf = (element: HTMLElement): Descendant[] => {
  const blocks: Descendant[] = [];
  let run: globalThis.Node[] = [];
  const endRun = (): void => {
    blocks.push(...paragraph(inlineIn(run, {})));
    run = [];
  };
  for (const child of element.childNodes) {
    if (!isBlock(child)) {
      run.push(child);
      continue;
    }
    endRun();
    blocks.push(...blocksOf(child));
  }
  endRun();
  return blocks;
};

const blocksOf = (element: HTMLElement): Descendant[] => {
  const { tagName } = element;
  const [, level] = /^H([1-6])$/.exec(tagName) ?? [];
  if (level !== undefined)
    return [{ type: "heading", level: Number(level), children: inlineOf(element).map(withoutBold) }];
  if (tagName === "UL" || tagName === "OL") return listOf(element);
  if (isLeftOut(element)) return [];
  if (tagName === "BLOCKQUOTE") return [{ type: "quote", children: inlineOf(element) }];
  if (tagName === "PRE") return [{ type: "code", children: [{ type: "text", text: element.textContent ?? "" }] }];
  if ([...element.children].some(isBlock)) return childrenOf(element);
  if (/MsoListParagraph/.test(element.className))
    return [{ type: "list", format: wordFormat(element), children: [itemOf(element)] }];
  return paragraph(inlineIn([element], {}));
};

/** Word writes lists as paragraphs, each with its sign. */
const wordFormat = (element: HTMLElement): "ordered" | "unordered" =>
  /^[\s]*(?:\d+|[a-z])[.)]/i.test(element.textContent ?? "") ? "ordered" : "unordered";

/** Joins lists that follow one another, as those from Word do. */
const joined = (blocks: readonly Descendant[]): Descendant[] => {
  const done: Descendant[] = [];
  for (const block of blocks) {
    const last = done.at(-1);
    const continues =
      last && "format" in last && "format" in block && last.type === "list" && last.format === block.format;
    if (continues) last.children.push(...block.children);
    else done.push(block);
  }
  return done;
};

/** The blocks of pasted HTML. */
export const blocksFromHtml = (html: string): Descendant[] =>
  joined(childrenOf(new DOMParser().parseFromString(html, "text/html").body));
