/**
 * A server written by hand for exactly these requests: node:http, postgres.js, the statements of
 * `hand-written-reads.ts`, and validated writes.
 *
 *     DATABASE_URL=… PORT=… jiti scripts/bench/hand-written.ts
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pageOf, send, sendFiltered, sendOne, sendPage, sql } from "./hand-written-reads.ts";
import { Refusal, writeChecked } from "./hand-written-writes.ts";

const answer = async (url: string, response: ServerResponse): Promise<void> => {
  const path = decodeURIComponent(url);
  const document = /^\/api\/articles\/(\w+)/.exec(path)?.[1];
  if (document !== undefined) return sendOne(response, document);
  if (path.includes("filters")) return sendFiltered(response);
  const part = path.includes("sections") ? "everything" : path.includes("populate") ? "related" : "list";
  return sendPage(response, part, pageOf(path));
};

const write = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { data } = JSON.parse(Buffer.concat(chunks).toString());
  const url = request.url ?? "";
  const document = /^\/api\/articles\/(\w+)/.exec(url)?.[1];
  const written = await writeChecked(sql, data, document);
  send(response, [Buffer.from('{"data":'), written, Buffer.from(',"meta":{}}')]);
};

createServer((request, response) => {
  const answering = request.method === "GET" ? answer(request.url ?? "", response) : write(request, response);
  answering.catch((error: unknown) => {
    response.writeHead(error instanceof Refusal ? error.status : 500);
    response.end(String(error));
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1");
