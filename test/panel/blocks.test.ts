/** How much of a long text the panel looks at when a key changes one paragraph. */
import { expect, test } from "vitest";
import { nodesIn, storedForm } from "../../panel/src/edit/fields/blocks/types.ts";

test("after a key in a text of 2000 paragraphs, only the changed one is looked into", () => {
  const read: number[] = [];
  const paragraph = (index: number) => ({
    type: "paragraph" as const,
    get children() {
      read.push(index);
      return [{ text: `Paragraph ${index}` }];
    },
  });
  const before = Array.from({ length: 2000 }, (_none, index) => paragraph(index));
  const opened = nodesIn(storedForm(before));
  expect(new Set(read).size).toBe(2000);
  read.length = 0;
  const after = before.with(7, paragraph(7));
  const typed = nodesIn(storedForm(after));
  expect(new Set(read)).toEqual(new Set([7]));
  expect(typed?.filter((node, index) => node !== opened?.[index])).toHaveLength(1);
  expect(typed?.[7]).toEqual({ type: "paragraph", children: [{ type: "text", text: "Paragraph 7" }] });
});

test("a value with a node that is none is not shown by the editor, also after its other nodes were", () => {
  const good = { type: "paragraph", children: [{ text: "a" }] };
  expect(nodesIn([good])).toEqual([good]);
  expect(nodesIn([good, { type: "table", children: [] }])).toBeUndefined();
  expect(nodesIn([good, { type: "list", children: [{ type: "odd", children: [] }] }])).toBeUndefined();
});
