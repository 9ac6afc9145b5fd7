/** The metrics of all processes of `cms start --workers`: each asks the one that looks after them, which asks all. */
import type { Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { z } from "zod";

const question = z.strictObject({ metricsFor: z.string() });
const answer = z.strictObject({ metricsFor: z.string(), text: z.string().optional(), fault: z.string().optional() });

/** Asks for the metrics of all workers. Called in a worker. Rejects when one of them does not answer. */
export const metricsOfWorkers = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const id = randomUUID();
    const receive = (message: unknown): void => {
      const { data } = answer.safeParse(message);
      if (data?.metricsFor !== id) return;
      process.off("message", receive);
      if (data.text === undefined) reject(new Error(data.fault));
      else resolve(data.text);
    };
    process.on("message", receive);
    process.send?.({ metricsFor: id });
  });

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
