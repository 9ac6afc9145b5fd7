/** The metrics of all processes of `cms start --workers`: a worker asks the primary process, which asks all workers. */
import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { inTime } from "../base/in-time.ts";
import { loadPrometheus } from "./metrics.ts";

const question = z.strictObject({ metricsFor: z.string() });
const answer = z.strictObject({ metricsFor: z.string(), text: z.string().optional(), fault: z.string().optional() });
const request = z.strictObject({ reportFor: z.string() });
const collected = z.array(z.looseObject({ type: z.string() }));
const report = request.extend({ metrics: collected });

type Collected = z.output<typeof collected>;

/** Timeouts in milliseconds for the report of one worker, and for the answer with the metrics of all. */
const PATIENCE = { worker: 1000, all: 5000 };

const noAnswer = (): Error =>
  new Error(
    "Nothing collects the metrics of these workers: only `cms start --workers` does. Start single processes instead, each with its own port (metrics.port).",
  );

/** Called in a worker: asks for the metrics of all workers. Rejects if a worker or the primary does not answer. */
export const metricsOfWorkers = async (): Promise<string> => {
  const id = randomUUID();
  const answers = new EventEmitter();
  const receive = (message: unknown): void => {
    const { data } = answer.safeParse(message);
    if (data?.metricsFor === id) answers.emit("answer", data);
  };
  process.on("message", receive);
  try {
    const answered = once(answers, "answer");
    process.send?.({ metricsFor: id });
    const [{ text, fault }] = await inTime(answered, PATIENCE.all, noAnswer);
    if (text === undefined) throw new Error(fault);
    return text;
  } finally {
    process.off("message", receive);
  }
};

/** Called in a worker: reports its metrics whenever the primary process asks. */
export const reportMetrics = (collect: () => Promise<readonly object[]>): void => {
  const send = async (reportFor: string): Promise<void> => {
    const metrics = await collect();
    if (process.connected) process.send?.({ reportFor, metrics });
  };
  process.on("message", (message) => {
    const { data } = request.safeParse(message);
    // A worker that is still starting cannot collect them.
    if (data) void send(data.reportFor).catch(() => {});
  });
};

const sumOf = async (parts: readonly Collected[]) => {
  const { AggregatorRegistry } = await loadPrometheus();
  return AggregatorRegistry.aggregate([...parts]);
};

/** What each worker reported last. */
const last = new Map<Worker, Collected>();

/** The sums of the counters of ended workers, so that those of all never fall. */
let ended: Promise<Collected> = Promise.resolve([]);

const keepCounters = (worker: Worker): void => {
  const reported = last.get(worker);
  // Without metrics in the configuration, there need not be a package to add them up.
  if (!reported) return;
  last.delete(worker);
  const counters = reported.filter(({ type }) => type !== "gauge");
  const added = async (before: Collected) =>
    collected.parse(await (await sumOf([before, counters])).getMetricsAsJSON());
  // What cannot be added up is left out, rather than every later answer.
  ended = ended.then((before) => added(before).catch(() => before));
};

/** Without a callback, sending to a worker that was killed would end this process. */
const sendTo = (worker: Worker, message: object): boolean => {
  if (worker.isConnected()) worker.send(message, () => {});
  return worker.isConnected();
};

/** Asks a worker for its metrics. For one that is too busy to answer, the last ones count. */
const ask = async (worker: Worker): Promise<void> => {
  const reportFor = randomUUID();
  const waiting = new AbortController();
  const { signal } = waiting;
  const receive = (message: unknown): void => {
    const { data } = report.safeParse(message);
    if (data?.reportFor !== reportFor) return;
    last.set(worker, data.metrics);
    waiting.abort();
  };
  worker.on("message", receive);
  const over = Promise.race([once(worker, "exit", { signal }), sleep(PATIENCE.worker, undefined, { signal })]);
  const settled = over.catch(() => {});
  if (sendTo(worker, { reportFor })) await settled;
  waiting.abort();
  worker.off("message", receive);
};

/** The metrics of all workers, with the counters of those that have ended. */
const textOfAll = async (): Promise<string> => {
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && ask(worker)));
  // Both of one moment: a worker that ends while this waits is in neither of two others.
  const reported = [...last.values()];
  return (await sumOf([await ended, ...reported])).metrics();
};

/** Called in the primary process: answers the requests of a worker, and keeps what it has counted. */
export const answerMetricsOf = (worker: Worker): void => {
  worker.on("message", (message: unknown) => {
    const { data } = question.safeParse(message);
    if (!data) return;
    void textOfAll()
      .then(
        (text) => ({ text }),
        (error: unknown) => ({ fault: `The metrics of the workers: ${String(error)}` }),
      )
      .then((found) => sendTo(worker, { ...data, ...found }));
  });
  worker.once("exit", () => keepCounters(worker));
};
