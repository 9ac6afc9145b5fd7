/** What trials of faults can say of connections that end without an answer. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../scripts/chaos/client.ts";

test("of a connection that ends without an answer it is known whether it was reused, what came last, and what was sent", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/fine") response.end("fine");
    else if (request.url === "/half") response.writeHead(200, { "content-length": 10 }).write("half");
    if (request.url === "/half") setImmediate(() => request.socket.destroy());
    else if (request.url !== "/fine") request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient("");
  onTestFinished(() => client.close());
  const get = (path: string) => client.send(port, { method: "GET", path });

  expect(await get("/ends")).toMatchObject({
    kind: "reset",
    cause: expect.stringMatching(/^ECONNRESET on a new connection; the request was written whole, /),
  });
  expect(await get("/fine")).toMatchObject({ kind: "answered", status: 200 });
  const reused = /^ECONNRESET on a connection reused less than \d+ ms after 200 with connection: keep-alive; /;
  expect(await get("/ends")).toMatchObject({ kind: "reset", cause: expect.stringMatching(reused) });
  expect(await get("/half")).toMatchObject({
    kind: "reset",
    cause: expect.stringMatching(/written whole, 200 begun, /),
  });
});
