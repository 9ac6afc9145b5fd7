/** What the compiler says about bodies: every marked line must be refused. Checked by `npm run typecheck`. */
import type { z } from "zod";
import type { Article } from "../../generated/article/document.ts";
import type { ArticleInput } from "../../generated/article/validator.ts";
import type { HomepageInput } from "../../generated/homepage/validator.ts";
import type { Blocks, Json } from "../../runtime/schema/document.ts";
import type { json } from "../../runtime/schema/validators.ts";

export const accepted: readonly ArticleInput[] = [
  { title: "Tea", slug: "tea" },
  {
    title: "Tea",
    slug: "tea",
    excerpt: null,
    body: [{ type: "paragraph", children: [{ type: "text", text: "Tea" }] }],
    cover: 3,
    gallery: [1, { id: 2 }, "k3v0c9"],
    featured: true,
    author: { documentId: "a" },
    categories: { connect: [{ documentId: "a", position: { before: "b" } }], disconnect: [2] },
    tags: { set: [] },
    sections: [{ __component: "blocks.quote", id: 1, text: "…" }],
    seo: { metaTitle: "Tea" },
  },
];

export const home: HomepageInput = {
  title: "Home",
  sections: [{ __component: "blocks.hero", heading: "Hi", links: [{ label: "a", url: "b" }] }],
};

/** What was read may be written. */
export const copied = ({ title, slug, body }: Article): ArticleInput => ({ title, slug, body });
export const copiedJson = (data: Json): z.input<ReturnType<typeof json>> => data;

/** The nodes of rich text are told apart by their type. */
export const levels = (body: Blocks): readonly number[] =>
  body.flatMap((node) => (node.type === "heading" ? [node.level] : []));

export const refusedText: readonly Blocks[] = [
  // @ts-expect-error no such node
  [{ type: "para", children: [] }],
  // @ts-expect-error a heading has a level
  [{ type: "heading", children: [] }],
  // @ts-expect-error text is no block
  [{ type: "text", text: "Tea" }],
];

export const refused: readonly ArticleInput[] = [
  // @ts-expect-error the title is required
  { slug: "tea" },
  // @ts-expect-error no such attribute
  { title: "Tea", slug: "tea", titel: "Tea" },
  // @ts-expect-error wrong type
  { title: 1, slug: "tea" },
  // @ts-expect-error set by the server
  { title: "Tea", slug: "tea", documentId: "a" },
  // @ts-expect-error a truth value is no file
  { title: "Tea", slug: "tea", cover: true },
  // @ts-expect-error a list is no single document
  { title: "Tea", slug: "tea", author: ["a"] },
  // @ts-expect-error a document has no such way to be named
  { title: "Tea", slug: "tea", author: { name: "a" } },
  // @ts-expect-error a list is never null
  { title: "Tea", slug: "tea", sections: null },
  // @ts-expect-error the component requires its title
  { title: "Tea", slug: "tea", seo: {} },
  // @ts-expect-error a component that the zone does not list
  { title: "Tea", slug: "tea", sections: [{ __component: "shared.seo", metaTitle: "Tea" }] },
  // @ts-expect-error no attribute of this component
  { title: "Tea", slug: "tea", sections: [{ __component: "blocks.quote", text: "…", heading: "a" }] },
];
