/**
 * Prints the memory of a server during the upload and download of a large file. `npm run bench:upload [-- MEGABYTES]`.
 * Linux only, as it reads /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../test/support/free-port.ts";
import { residentOf } from "./process-memory.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(repository, "dist", "generator", "cli.js");
const root = path.join(repository, ".cms", "upload-memory");
const megabytes = Number(process.argv[2] ?? 500);
const CHUNK = Buffer.alloc(1_000_000, "galley ");

const cms = (...args: string[]): string =>
  execFileSync(process.execPath, [program, "--root", root, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

const makeProject = (): string => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(path.join(root, "content-types"), { recursive: true });
  const config = `export default { media: { sizeLimit: ${(megabytes + 1) * 1_000_000} } };\n`;
  writeFileSync(path.join(root, "cms.config.ts"), config);
  cms("generate");
  cms("migrate");
  return cms("token", "create", "--name", "upload", "--type", "full-access");
};

/** Runs `work`, and prints the peak memory of the process meanwhile. */
const watch = async <Result>(pid: number, what: string, work: () => Promise<Result>): Promise<Result> => {
  const before = residentOf(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentOf(pid))), 20);
  const start = Date.now();
  const result = await work();
  clearInterval(timer);
  const seconds = (Date.now() - start) / 1000;
  console.log(`${what}: ${Math.round(before)} MB before, ${Math.round(peak)} MB at most, ${seconds.toFixed(1)} s`);
  return result;
};

const upload = async (port: number, token: string, size: number): Promise<string> => {
  const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="large.txt"\r\n\r\n';
  const parts = function* () {
    yield Buffer.from(head);
    for (let sent = 0; sent < size; sent++) yield CHUNK;
    yield Buffer.from("\r\n--b--\r\n");
  };
  const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path: "/api/upload", method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve(JSON.parse(text)[0].url));
    });
    pipeline(Readable.from(parts()), outgoing).catch(reject);
  });
};

const download = async (port: number, url: string): Promise<number> => {
  const answer = await fetch(`http://127.0.0.1:${port}${url}`);
  let size = 0;
  for await (const chunk of answer.body ?? []) size += chunk.byteLength;
  return size;
};

const token = makeProject();
const port = await freePort();
const server = spawn(process.execPath, [program, "--root", root, "start", "--port", String(port)], { stdio: "ignore" });
const pid = server.pid ?? 0;
try {
  while (!(await fetch(`http://127.0.0.1:${port}/_health`).catch(() => undefined))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await watch(pid, "upload of 1 MB", () => upload(port, token, 1));
  const url = await watch(pid, `upload of ${megabytes} MB`, () => upload(port, token, megabytes));
  await watch(pid, `upload of ${megabytes} MB again`, () => upload(port, token, megabytes));
  await watch(pid, `download of ${megabytes} MB`, () => download(port, url));
} finally {
  server.kill();
  rmSync(root, { recursive: true, force: true });
}
