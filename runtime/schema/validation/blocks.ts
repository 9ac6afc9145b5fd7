/**
 * The nodes of rich text: a list of block nodes, with texts and links at the leaves. Nodes that are used in several
 * places have an `id`, so that JSON Schema defines them only once.
 */
import { z } from "zod";
import { missing, pathText } from "./messages.ts";

const required = { error: missing };
const flag = z.boolean().optional();

const textNode = z
  .looseObject({
    type: z.literal("text"),
    text: z.string({
      error: ({ input }) => (input === undefined ? "Text must be defined with at least an empty string" : undefined),
    }),
    bold: flag,
    italic: flag,
    underline: flag,
    strikethrough: flag,
    code: flag,
  })
  .meta({ id: "BlocksText" });

const isLink = (url: string): boolean => {
  if (/^[/#?]/.test(url)) return true;
  return /^(?:https?|ftp):\/\/\S+$/i.test(url) ? URL.canParse(url) : /^(?:mailto|tel):\S+$/i.test(url);
};

const linkNode = z
  .looseObject({
    type: z.literal("link"),
    url: z.string(required).refine(isLink, { error: "Please specify a valid link." }),
    children: z.array(textNode, required).min(1, { error: "Link node children must have at least one Text node" }),
  })
  .meta({ id: "BlocksLink" });

const inline = z.discriminatedUnion("type", [textNode, linkNode], { error: "Inline node must be Text or Link" });

const inlineChildren = (node: string) =>
  z.array(inline, required).min(1, { error: `${node} node children must have at least one Text or Link node` });

const level = z.literal([1, 2, 3, 4, 5, 6], {
  error: (issue) => missing(issue) ?? `${pathText(issue.path)} must be one of the following values: 1, 2, 3, 4, 5, 6`,
});

const format = z.enum(["ordered", "unordered"], {
  error: (issue) => missing(issue) ?? `${pathText(issue.path)} must be one of the following values: ordered, unordered`,
});

const listItem = z
  .looseObject({ type: z.literal("list-item"), children: inlineChildren("ListItem") })
  .meta({ id: "BlocksListItem" });

const list = z
  .looseObject({
    type: z.literal("list"),
    format,
    get children() {
      return z
        .array(
          z.discriminatedUnion("type", [listItem, list], { error: "List node children must be ListItem or List" }),
          required,
        )
        .min(1, { error: "List node children must have at least one ListItem or ListNode" });
    },
  })
  .meta({ id: "BlocksList" });

const image = z.looseObject(
  {
    name: z.string(required),
    url: z.string(required),
    width: z.number(required),
    height: z.number(required),
    hash: z.string(required),
    ext: z.string(required),
    mime: z.string(required),
    size: z.number(required),
    provider: z.string(required),
    createdAt: z.string(required),
    updatedAt: z.string(required),
  },
  required,
);

const paragraph = z.looseObject({ type: z.literal("paragraph"), children: inlineChildren("Paragraph") });
const heading = z.looseObject({ type: z.literal("heading"), level, children: inlineChildren("Heading") });
const quote = z.looseObject({ type: z.literal("quote"), children: inlineChildren("Quote") });
const code = z.looseObject({
  type: z.literal("code"),
  language: z.string().nullish(),
  children: z.array(textNode, required).min(1, { error: "Code node children must have at least one Text node" }),
});
const picture = z.looseObject({ type: z.literal("image"), image, children: z.array(inline, required) });
const invalidBlock = { error: "Block node is of invalid type" };

export const blockNodes = z.array(
  z.discriminatedUnion("type", [paragraph, heading, quote, code, list, picture], invalidBlock),
);
