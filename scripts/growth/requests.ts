/** The lists of 25 to compare. */
import { documentId, word } from "./fill.ts";

const page = "pagination[start]=0&pagination[limit]=25";
const plain = `${page}&pagination[withCount]=false`;

const from = (start: number): string => plain.replace("start]=0", `start]=${start}`);

/** Paths and query strings of full-text searches by description. */
const searchesOf = (notes: number): Readonly<Record<string, string>> => ({
  "full-text search, found once": `guides?${page}&_q=guide${notes - 1}`,
  // Words are found by their beginning, too.
  "full-text search, found in one of 700": `guides?${page}&_q=${word(12_345)}`,
  "full-text search, found in one of 700, by score": `guides?${page}&_q=${word(12_345)}&sort=_score`,
  "full-text search, found in one of 50": `guides?${page}&_q=${word(1234)}`,
  "full-text search, found in one of 50, by score": `guides?${page}&_q=${word(1234)}&sort=_score`,
  "full-text search, found in one of four": `guides?${page}&_q=${word(100)}`,
  "full-text search, two words that one of four has": `guides?${page}&_q=${word(100)} ${word(101)}`,
});

/** Paths and query strings by description. */
export const requestsOf = (notes: number): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(listsOf(notes)).map(([name, query]) => [name, `notes?${query}`])),
  ...searchesOf(notes),
});

const listsOf = (notes: number): Readonly<Record<string, string>> => ({
  "in order": plain,
  "sorted by a number": `${plain}&sort=views:desc`,
  "filtered by a to-one relation": `${plain}&filters[writer][name]=writer 7`,
  "the same, sorted": `${plain}&filters[writer][name]=writer 7&sort=views:desc`,
  "filtered by a to-one relation that most have": `${plain}&filters[category][name]=category 1`,
  "the same by its id": `${plain}&filters[category][documentId]=${documentId("c", 1)}`,
  "that most have, sorted": `${plain}&filters[category][name]=category 1&sort=views:desc`,
  "filtered by a to-one relation that few have": `${plain}&filters[category][name]=category 7`,
  "that few have, sorted": `${plain}&filters[category][name]=category 7&sort=views:desc`,
  "filtered by a to-many relation": `${plain}&filters[tags][name]=tag 7`,
  "by the id of a to-many relation": `${plain}&filters[tags][documentId]=${documentId("t", 7)}`,
  "filtered by a to-many relation, sorted": `${plain}&filters[tags][name]=tag 7&sort=views:desc`,
  "filtered by a to-many relation that most have": `${plain}&filters[topics][name]=topic 1`,
  "to-many, that most have, sorted": `${plain}&filters[topics][name]=topic 1&sort=views:desc`,
  "filtered by a to-many relation that few have": `${plain}&filters[topics][name]=topic 7`,
  "to-many, that few have, sorted": `${plain}&filters[topics][name]=topic 7&sort=views:desc`,
  "filtered by one relation or another": `${plain}&filters[$or][0][writer][name]=writer 7&filters[$or][1][tags][name]=tag 7`,
  "the same, sorted by a number": `${plain}&filters[$or][0][writer][name]=writer 7&filters[$or][1][tags][name]=tag 7&sort=views:desc`,
  "one relation that most have, or another": `${plain}&filters[$or][0][category][name]=category 1&filters[$or][1][tags][name]=tag 7`,
  "filtered two relations deep": `${plain}&filters[tags][notes][title]=Note number 7`,
  "two relations deep, that most have": `${plain}&filters[category][notes][title]=Note number 7`,
  "without a relation": `${plain}&filters[writer][$null]=true`,
  "sorted by a relation": `${plain}&sort=writer.name:asc`,
  "sorted by a relation, descending": `${plain}&sort=writer.name:desc`,
  "sorted by a to-many relation": `${plain}&sort=tags.name`,
  "searched (_q), found often": `${plain}&_q=number 1`,
  "searched (_q), found once": `${plain}&_q=number ${notes - 1}`,
  "from the middle on": from(notes / 2),
  "from the middle on, sorted by a number": `${from(notes / 2)}&sort=views:desc`,
  populated: `${plain}&populate[tags]=true&populate[writer]=true`,
  "with the total": page,
  "filtered by a to-many relation, with the total": `${page}&filters[tags][name]=tag 7`,
});
