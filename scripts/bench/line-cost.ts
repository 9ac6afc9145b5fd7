/**
 * Prints, on standard error, what the line of a request costs by itself: CPU of this process for requests with lines and
 * without, in turn. Lines go to standard output. `log-line.ts` bundles it, as a server is.
 */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Caller } from "../../runtime/access/caller.ts";
import { createLogger } from "../../runtime/base/log.ts";
import { configSchema } from "../../runtime/config/config.ts";
import { type Observe, observeRequests } from "../../runtime/telemetry/observe.ts";
import { requestLog } from "../../runtime/telemetry/request-log.ts";
import { recordOf } from "../../runtime/telemetry/request-record.ts";
import { median } from "./compare.ts";

const REQUESTS = 10_000;
/** Requests between which other work may run, as between the reads of a socket. */
const TURN = 64;

const ROLE = { id: 2, name: "Authenticated", description: "", type: "authenticated" };

const CALLER: Caller = { kind: "user", userId: 1, roleId: ROLE.id, can: () => true };

const observerWith = (requests: "all" | false): Observe => {
  const config = configSchema.parse({ logger: { requests } });
  const all = [{ ...ROLE, documentId: "role", actions: new Set<string>(), can: () => true }];
  const roles = { all: () => all };
  const line = requestLog({ config, log: createLogger({ level: "info" }), roles, production: true });
  return observeRequests({ requests: line ? [line] : [], isTrusted: () => false });
};

/** CPU per request, in microseconds. */
const costOf = async (observe: Observe): Promise<number> => {
  const socket = new Socket();
  const before = process.cpuUsage();
  for (let count = 0; count < REQUESTS; count += 1) {
    const incoming = new IncomingMessage(socket);
    incoming.method = "GET";
    incoming.url = "/api/articles/z7v8zma7mi0q6aoc8vmbq2ej";
    const outgoing = new ServerResponse(incoming);
    observe(incoming, outgoing, () => {
      const record = recordOf(incoming);
      if (!record) return;
      record.route = "/api/articles/:documentId";
      record.caller = CALLER;
      record.statements = 2;
    });
    outgoing.emit("finish");
    outgoing.emit("close");
    if (count % TURN === 0) await setImmediate();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
};

const ROUNDS = 40;

const [silent, logging] = [observerWith(false), observerWith("all")];
const rounds: (readonly [number, number])[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push([await costOf(silent), await costOf(logging)]);
// V8 has not yet optimized the code of the first rounds.
const warm = rounds.slice(ROUNDS / 4);
const usual = median(warm.map(([none, all]) => all - none));
const least = Math.min(...warm.map(([, all]) => all)) - Math.min(...warm.map(([none]) => none));
console.error(`a line by itself: ${usual.toFixed(1)} µs of CPU, at least ${least.toFixed(1)}`);
