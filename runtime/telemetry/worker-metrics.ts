/** The metrics of all processes of `cms start --workers`: each asks the one that looks after them, which asks all. */
import type { Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { z } from "zod";
import { inTime } from "../base/in-time.ts";

const question = z.strictObject({ metricsFor: z.string() });
const answer = z.strictObject({ metricsFor: z.string(), text: z.string().optional(), fault: z.string().optional() });

/** Milliseconds; the process that is asked gives its workers 5,000. */
const PATIENCE = 6000;

const noAnswer = (): Error =>
  new Error(
    "Nobody collects the metrics of these workers: only `cms start --workers` does. Start single processes instead, each with a port of its own (metrics.port).",
  );

/** Asks for the metrics of all workers. Called in a worker. Rejects when one of them, or whoever asks them, does not answer. */
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

/** Answers a worker that asks. Called in the process that looks after the workers. */
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
