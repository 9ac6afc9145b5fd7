/** Whether the system asks a silent database if it is still there. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSockets } from "../../../runtime/database/postgres/driver.ts";

/** What the kernel's list of connections has in the column of timers for a timer of keepalive. */
const KEEP_ALIVE_TIMER = "02";

const hexadecimal = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/**
 * The timer that runs for the connection between two ports: Linux tells of it in its table of connections. That has ended
 * ones as well, and a port of theirs may be used again for another address.
 */
const timerOf = async (from: number, to: number): Promise<string | undefined> => {
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  const isBetween = (local?: string, remote?: string) =>
    local?.endsWith(hexadecimal(from)) && remote?.endsWith(hexadecimal(to));
  return lines.find(([, local, remote]) => isBetween(local, remote))?.[5]?.split(":")[0];
};

test.runIf(process.platform === "linux")("connections to PostgreSQL that are silent are probed", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = createSockets(5000);
  onTestFinished(() => {
    sockets.destroy();
    server.close();
  });
  const socket = await sockets.open({ host: ["127.0.0.1"], port: [port], path: false });
  expect(await timerOf(socket.localPort ?? 0, port)).toBe(KEEP_ALIVE_TIMER);
});
