/**
 * The minimal cost of these requests: node:http and postgres.js with the statements of `hand-written-reads.ts` and
 * `limit-writes.ts`, and nothing else. It knows the few addresses in advance, so it parses none.
 *
 *     DATABASE_URL=… PORT=… jiti scripts/bench/limit.ts
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pageOf, sendFiltered, sendOne, sendPage } from "./hand-written-reads.ts";
import { writeStory } from "./limit-writes.ts";

const DOCUMENT = "/api/articles/";

const answerOf = (url: string): ((response: ServerResponse) => Promise<void>) => {
  if (url.includes("filters")) return sendFiltered;
  const part = url.includes("sections") ? "everything" : url.includes("populate") ? "related" : "list";
  const page = pageOf(url);
  return (response) => sendPage(response, part, page);
};

const answers = new Map<string, (response: ServerResponse) => Promise<void>>();

const answer = (url: string, response: ServerResponse): Promise<void> => {
  if (url.startsWith(DOCUMENT)) return sendOne(response, url.slice(DOCUMENT.length));
  let known = answers.get(url);
  if (known === undefined) {
    known = answerOf(url);
    answers.set(url, known);
  }
  return known(response);
};

const STORY = "/api/stories/";

const write = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { data } = JSON.parse(Buffer.concat(chunks).toString());
  const url = request.url ?? "";
  const [path = "", query = ""] = url.split("?");
  await writeStory(response, data, {
    stored: query.includes("row") ? "one row" : "stored",
    documentId: path.startsWith(STORY) ? path.slice(STORY.length) : undefined,
    status: query.includes("draft") ? "draft" : "published",
  });
};

createServer((request, response) => {
  const answering = request.method === "GET" ? answer(request.url ?? "", response) : write(request, response);
  answering.catch((error: unknown) => response.writeHead(500).end(String(error)));
}).listen(Number(process.env["PORT"]), "127.0.0.1");
