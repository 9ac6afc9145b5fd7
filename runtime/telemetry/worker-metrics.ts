/** The metrics of all processes of `cms start --workers`: a worker asks the primary process, which asks all workers. */
import type { Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { z } from "zod";
import { inTime } from "../base/in-time.ts";

const question = z.strictObject({ metricsFor: z.string() });
const answer = z.strictObject({ metricsFor: z.string(), text: z.string().optional(), fault: z.string().optional() });

/** Timeout in milliseconds; the primary process itself waits 5,000 for its workers. */
const PATIENCE = 6000;

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
    const [{ text, fault }] = await inTime(answered, PATIENCE, noAnswer);
    if (text === undefined) throw new Error(fault);
    return text;
  } finally {
    process.off("message", receive);
  }
};

/** Called in the primary process: answers a worker's request. */
export const answerMetricsOf = (worker: Worker): void => {
  worker.on("message", (message: unknown) => {
    const { data } = question.safeParse(message);
    if (!data) return;
    void import("prom-client")
      .then(({ default: { AggregatorRegistry } }) => new AggregatorRegistry().clusterMetrics())
      .then(
        (text) => ({ text }),
        (error: unknown) => ({ fault: `The metrics of the workers: ${String(error)}` }),
      )
      .then((found) => worker.isConnected() && worker.send({ ...data, ...found }));
  });
};
