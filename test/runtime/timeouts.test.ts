import { execFileSync } from "node:child_process";
/** How long clients may take to send, and to take what they get. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request, type Server } from "node:http";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHonoApp } from "../../runtime/app/server.ts";
import type { AppEnv } from "../../runtime/http/context.ts";
import { listen } from "../../runtime/http/listen.ts";
import { deferred } from "../support/deferred.ts";
import { applicationOf, testServices } from "../support/services.ts";
import { SOON } from "../support/soon.ts";

const serve = async (config = {}): Promise<number> => {
  const services = await testServices({}, { config });
  const server = { ...services.config.server, host: "127.0.0.1", port: 0, shutdownSeconds: 1 };
  const listening = await listen(createHonoApp(services, applicationOf()), server);
  onTestFinished(() => listening.close());
  return listening.port;
};

/** Sends text on a connection of its own; the answer is whole when the server has closed it. */
const send = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => void socket.write(text));
    socket.on("data", (chunk) => void (answer += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });

const head = (type: string, length: number): string =>
  `POST /api/things HTTP/1.1\r\nhost: test\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

const isMessage = (message: unknown): message is { readonly server: Server } =>
  typeof message === "object" && message !== null && "server" in message;

test("the head of a request has to arrive within a minute, an upload goes on, and connections outlive those of proxies", async () => {
  const port = await serve();
  const seen: Server[] = [];
  const note = (message: unknown): void => {
    if (isMessage(message)) seen.push(message.server);
  };
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  const { headers } = await fetch(`http://127.0.0.1:${port}/_health`);
  expect(headers.get("keep-alive")).toBe("timeout=65");
  const server = seen.find((each) => {
    const address = each.address();
    return typeof address === "object" && address?.port === port;
  });
  expect(server).toMatchObject({ headersTimeout: 60_000, requestTimeout: 0 });
});

/** Serves one answer; tells what becomes of the connections. Those that are silent for two seconds are. */
const serveOne = async (answer: (sockets: readonly Socket[]) => Response | Promise<Response>) => {
  const sockets: Socket[] = [];
  const app = new Hono<AppEnv>().get("/", () => answer(sockets));
  const note = (message: unknown): void => {
    if (typeof message === "object" && message !== null && "socket" in message && message.socket instanceof Socket)
      sockets.push(message.socket);
  };
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  const { port, close } = await listen(app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1, stallSeconds: 2 });
  onTestFinished(close);
  return { port, sockets };
};

test("a client that takes nothing of its answer is given up", async () => {
  const { port, sockets } = await serveOne(() => new Response("x".repeat(30_000_000)));
  const client = connect(port, "127.0.0.1", () => void client.write("GET / HTTP/1.1\r\nhost: test\r\n\r\n"));
  client.on("error", () => {});
  client.pause();
  onTestFinished(() => void client.destroy());
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toContain(true), SOON);
});

test("a connection on which nothing is asked is closed after a while", async () => {
  const { port } = await serveOne(() => new Response("done"));
  const client = connect(port, "127.0.0.1");
  client.resume();
  await once(client, "close");
});

test("a client whose answer takes long has it, and may ask again", async () => {
  const { port, sockets } = await serveOne(async (asked) => {
    const [first, ...again] = asked;
    if (first && again.length === 0) await once(first, "timeout");
    return new Response("done");
  });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  for (const _ of [1, 2]) {
    const sent = request({ host: "127.0.0.1", port, agent }).end();
    const [response]: IncomingMessage[] = await once(sent, "response");
    expect(await response?.toArray()).toEqual([Buffer.from("done")]);
  }
  expect(new Set(sockets).size).toBe(1);
});

/** Sends requests for `/`, closes this side of the connection, and waits for what comes; `heard` is called with the first of it. */
const sendAndClose = (port: number, request: string, heard = () => {}): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    client.once("data", heard);
    client.on("data", (chunk) => void (answer += chunk.toString()));
    client.on("error", reject);
    client.on("close", () => resolve(answer));
    client.end(request);
  });

test("a client that has sent all it will is answered all the same, and asked whether it is there as long as it waits", async () => {
  const asked = deferred();
  const { port } = await serveOne(async () => {
    await asked.promise;
    return new Response("done");
  });
  const old = sendAndClose(port, "GET / HTTP/1.0\r\nhost: test\r\n\r\n");
  const two = sendAndClose(port, "GET / HTTP/1.1\r\nhost: test\r\n\r\n".repeat(2), asked.resolve);
  expect(await two).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+(?:HTTP\/1\.1 200 OK\r\n[^]*done){2}$/);
  expect(await old).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*done$/);
});

test("a client that has closed its connection is not waited for", async () => {
  const never = new Promise<Response>(() => {});
  const { port, sockets } = await serveOne(() => never);
  const client = connect(port, "127.0.0.1", () => void client.write("GET / HTTP/1.1\r\nhost: test\r\n\r\n"));
  await vi.waitFor(() => expect(sockets).toHaveLength(1), SOON);
  client.destroy();
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON);
});

test("the head of a request may be as large as the configuration says", async () => {
  const address = `/api/nothing?${"x".repeat(25_000)}`;
  const answers = [16_384, 32_768].map(async (maxHeaderSize) =>
    send(
      await serve({ server: { maxHeaderSize } }),
      `GET ${address} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n`,
    ),
  );
  const [refused = "", answered = ""] = await Promise.all(answers);
  expect([refused.slice(0, 12), answered.slice(0, 12)]).toEqual(["HTTP/1.1 431", "HTTP/1.1 404"]);
  expect(refused).toContain("server.maxHeaderSize");
});

test("by default the head may be as large as Node is told", () => {
  const program =
    "import('./runtime/config/config.ts').then((m) => console.log(m.configSchema.parse({}).server.maxHeaderSize))";
  const options = { env: { ...process.env, NODE_OPTIONS: "--max-http-header-size=50000" }, encoding: "utf8" } as const;
  const jiti = path.resolve("node_modules/jiti/lib/jiti-cli.mjs");
  const file = path.join(mkdtempSync(path.join(tmpdir(), "galley-head-")), "print.ts");
  writeFileSync(file, program.replace("./runtime", path.resolve("runtime")));
  expect(execFileSync(process.execPath, [jiti, file], options).trim()).toBe("50000");
});

test("what is no request is answered with a 400", async () => {
  expect(await send(await serve(), "nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close/);
});

test.each(["GET", "HEAD"])(
  "whoever sends a body to %s without end is disconnected after the answer",
  async (method) => {
    const port = await serve();
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`${method} /_health HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n`);
    const sending = setInterval(() => socket.write("1\r\nx\r\n"), 20);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 204 /);
    await once(socket, "close");
    clearInterval(sending);
  },
);

test("a request of HTTP/1.0 needs no Host, as those of load balancers have none", async () => {
  expect(await send(await serve(), "GET /_health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 204 /);
});

test.each([
  ["application/json", '{"data":'],
  ["application/x-www-form-urlencoded", "data[a]="],
  ["text/plain", "some"],
])("a body of type %s whose sender stops is given up", async (type, start) => {
  const port = await serve({ server: { bodySeconds: 0.2 } });
  const answer = await send(port, head(type, 100) + start);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain('"RequestTimeoutError"');
});
