/** `cms start --workers`: several processes on one port. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, createServer, request } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { cms, serveBy, startCms } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { listenOnFreePort } from "../support/listen.ts";
import { program } from "../support/processes.ts";
import { migratedProject, projectOnServer } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

const isLinux = process.platform === "linux";

/** The processes that a process has started and that still run. */
const childrenOf = (pid: number | undefined): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [state, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
        return parent === String(pid) && state !== "Z";
      } catch {
        return false;
      }
    })
    .map(Number);

const startWorkers = async (config?: string) => {
  const root = await projectOnServer();
  if (config !== undefined) await writeFile(path.join(root, "cms.config.ts"), config);
  const port = await freePort();
  const { child, output, ended } = startCms(root, ["start", "--workers", "2", "--port", String(port)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const workers = () => childrenOf(child.pid);
  const ask = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/_health`, { headers: { connection: "close" } })).status;
  await vi.waitFor(async () => {
    expect(workers()).toHaveLength(2);
    expect(await ask()).toBe(204);
  }, SOON);
  return { root, port, child, output, ended, workers, ask };
};

test.runIf(isLinux)(
  "workers that end are replaced, all are renewed without a refused request, and all end together",
  async () => {
    const { root, child, output, ended, workers, ask } = await startWorkers();

    const [killed = 0, kept = 0] = workers();
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => {
      expect(workers()).toHaveLength(2);
      expect(workers()).not.toContain(killed);
      expect(workers()).toContain(kept);
    }, SOON);
    await vi.waitFor(async () => expect(await ask()).toBe(204), SOON);

    const before = workers();
    child.kill("SIGUSR2");
    const isRenewed = () => workers().length === 2 && workers().every((pid) => !before.includes(pid));
    while (!isRenewed()) {
      expect(await ask()).toBe(204);
      await sleep(20);
    }
    expect(await ask()).toBe(204);

    // A new worker that does not start is no reason to end those that serve.
    const after = workers();
    await writeFile(path.join(root, "cms.config.ts"), "export default { nothing: true };\n");
    child.kill("SIGUSR2");
    await vi.waitFor(() => expect(output.stdout).toContain("a new worker did not start: those that serve go on"), SOON);
    await vi.waitFor(() => expect(workers()).toEqual(after), SOON);
    expect(await ask()).toBe(204);

    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0 });
    expect(workers()).toEqual([]);
  },
);

/** Asks on a connection of its own. Resolves when it has one: with what becomes of the request. */
const connectAndAsk = (port: number): Promise<{ readonly answer: Promise<number | string> }> =>
  new Promise((connected) => {
    const sent = request({ host: "127.0.0.1", port, path: "/_health", agent: new Agent() });
    const answer = new Promise<number | string>((resolve) => {
      sent.on("response", (response) => resolve(response.resume().statusCode ?? 0));
      sent.on("error", (error) => resolve(error.message));
    });
    sent.on("socket", (socket) => socket.once("connect", () => connected({ answer })));
    sent.end();
  });

test.runIf(isLinux)("workers that end together answer those who were connected by then", async () => {
  const { port, child, workers, ended } = await startWorkers();
  const signal = (name: NodeJS.Signals) => workers().map((pid) => process.kill(pid, name));
  // What is busy takes its connections later.
  signal("SIGSTOP");
  const asked = await Promise.all(Array.from({ length: 100 }, () => connectAndAsk(port)));
  child.kill("SIGTERM");
  signal("SIGCONT");
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  expect(new Set(answers)).toEqual(new Set([204]));
  expect(await ended).toMatchObject({ code: 0 });
});

test.runIf(isLinux)("each worker shows the metrics of all, and the counts of those that were killed", async () => {
  const token = "a token for metrics";
  const config = `export default { metrics: { path: "/metrics", token: "${token}" } };\n`;
  const { root, port, child, output, ended, workers } = await startWorkers(config);
  const get = async (target: string, headers = {}): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}${target}`, { headers: { ...headers, connection: "close" } })).text();
  for (let time = 0; time < 20; time += 1) await get("/nothing");
  const read = async (): Promise<string> => get("/metrics", { authorization: `Bearer ${token}` });
  const sum = 'galley_http_request_duration_seconds_count{method="GET",route="none",status="404"} 20';
  for (let time = 0; time < 4; time += 1) await expect.poll(read, SOON).toContain(sum);
  // A gauge that is the same in every worker.
  const fileLimits = async () => Number(/^process_max_fds (\d+)/m.exec(await read())?.[1]);
  const [killed = 0, other] = workers();
  const fileLimit = Number(/^Max open files +(\d+)/m.exec(readFileSync(`/proc/${killed}/limits`, "utf8"))?.[1]);
  await expect.poll(fileLimits, SOON).toBe(2 * fileLimit);

  // The worker that takes its place is held up while it reads the configuration.
  const wait = `import { existsSync } from "node:fs";
while (!existsSync("go.txt")) await new Promise((again) => setTimeout(again, 50));\n`;
  await writeFile(path.join(root, "cms.config.ts"), wait + config);
  process.kill(killed, "SIGKILL");
  await vi.waitFor(() => expect(workers().filter((pid) => pid !== other && pid !== killed)).toHaveLength(1), SOON);
  expect(await read()).toContain(sum);
  expect(await fileLimits()).toBe(fileLimit);
  await writeFile(path.join(root, "go.txt"), "");
  await expect.poll(fileLimits, SOON).toBe(2 * fileLimit);
  for (let time = 0; time < 4; time += 1) expect(await read()).toContain(sum);
  expect(output.stdout).toContain("a worker ended, and another takes its place");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

test.runIf(isLinux)("where another process manager starts the workers, the metrics say so", async () => {
  const root = await projectOnServer();
  const token = "a token for metrics";
  const config = `export default { metrics: { path: "/metrics", token: "${token}" } };\n`;
  await writeFile(path.join(root, "cms.config.ts"), config);
  const manager = `const cluster = require("node:cluster");
cluster.setupPrimary({ exec: ${JSON.stringify(program)}, args: ["start"], execArgv: [] });
cluster.fork();`;
  const port = await freePort();
  await serveBy(process.execPath, ["-e", manager], root, port);
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("only `cms start --workers` does");
});

test.runIf(isLinux)("a wish for new workers that comes while they start ends nothing", async () => {
  const root = await projectOnServer();
  const port = await freePort();
  const { child, ended } = startCms(root, ["start", "--workers", "2", "--port", String(port)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await vi.waitFor(() => expect(childrenOf(child.pid)).not.toEqual([]), SOON);
  child.kill("SIGUSR2");
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/_health`)).status).toBe(204), SOON);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

test("what keeps workers from starting is said once, and ends them all", async () => {
  const root = await migratedProject();
  const embedded = await cms(root, ["start", "--workers", "2", "--port", "0"]);
  expect(embedded.code).toBe(2);
  expect(embedded.stderr.match(/--workers needs PostgreSQL/g)).toHaveLength(1);
  const none = await cms(root, ["start", "--workers", "0"]);
  expect(none.stderr).toContain("workers are a number from 1 to 64");
});

test("a port that is taken ends all workers, also where metrics have a port of their own", async () => {
  const root = await projectOnServer();
  await writeFile(path.join(root, "cms.config.ts"), `export default { metrics: { port: ${await freePort()} } };`);
  const other = createServer();
  const { port } = new URL(await listenOnFreePort(other));
  const { child, ended } = startCms(root, ["start", "--workers", "2", "--port", port]);
  onTestFinished(() => {
    child.kill("SIGKILL");
    other.close();
  });
  expect(await ended).toMatchObject({ code: 2, stderr: expect.stringContaining(`Port ${port} is in use`) });
});
