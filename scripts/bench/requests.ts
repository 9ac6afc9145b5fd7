/** The requests that are measured, alike for both servers. */
import { randomUUID } from "node:crypto";

export interface BenchRequest {
  readonly name: string;
  /** `{document}` stands for the documentId of some article. */
  readonly path: string;
  /** GET when it is left out. */
  readonly method?: "POST" | "PUT";
  /** The body of the request with this number. */
  readonly body?: (number: number) => object;
  /** The most CPU that we allow ourselves, as a multiple of the hand-written server's. */
  readonly goal: number;
}

const list = "/api/articles?pagination[pageSize]=25";
const related = "populate[author]=true&populate[reviewer]=true&populate[categories]=true&populate[cover]=true";

const category = (number: number): string => `catg${String(1 + (number % 50)).padStart(20, "0")}`;
const author = (number: number): string => `autr${String(1 + (number % 500)).padStart(20, "0")}`;

const content = (number: number): object => ({
  title: `Written ${number}`,
  summary: "Some words. ".repeat(10),
  body: [{ type: "paragraph", children: [{ type: "text", text: `Paragraph ${number}. `.repeat(20) }] }],
  views: number % 1000,
  author: author(number),
  categories: [category(number), category(number + 1), category(number + 2)],
  seo: { title: `Seo ${number}`, description: "All about it" },
  sections: [
    { __component: "blocks.quote", text: `To be or not to be, ${number}`, by: "Somebody" },
    { __component: "blocks.text", body: "Text of section. ".repeat(20) },
  ],
});

export const requests: readonly BenchRequest[] = [
  { name: "one document", path: "/api/articles/{document}", goal: 1.5 },
  { name: "list of 25 with total", path: list, goal: 1.2 },
  { name: "… with three relations and media", path: `${list}&${related}`, goal: 1.2 },
  {
    name: "… with everything and a dynamic zone",
    path: `${list}&${related}&populate[seo][populate]=*&populate[sections][populate]=*`,
    goal: 1.2,
  },
  {
    name: "filtered and sorted, by a relation too",
    path: `${list}&filters[author][name]=Author 7&filters[views][$lt]=90000&sort=views:desc`,
    goal: 1.2,
  },
  {
    name: "publish a new document with relations and components",
    path: "/api/articles",
    method: "POST",
    body: (number) => ({ data: { ...content(number), slug: randomUUID() } }),
    goal: 1.5,
  },
  {
    name: "update and publish a document with relations and components",
    path: "/api/articles/{document}",
    method: "PUT",
    body: (number) => ({ data: content(number) }),
    goal: 1.5,
  },
];
