/** The requests that are measured, alike for both servers. */
export interface BenchRequest {
  readonly name: string;
  /** `{document}` stands for the documentId of some article. */
  readonly path: string;
  /** The most CPU that we allow ourselves, as a multiple of the hand-written server's. */
  readonly goal: number;
}

const list = "/api/articles?pagination[pageSize]=25";
const related = "populate[author]=true&populate[reviewer]=true&populate[categories]=true&populate[cover]=true";

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
];
