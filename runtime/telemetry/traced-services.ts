/** The parts of a server that run in spans of their own. */
import type { Hooks } from "../documents/hooks.ts";
import type { Media } from "../media/media.ts";
import type { Queries } from "../query/index.ts";
import type { Tracing } from "./tracing.ts";

interface TracedServices {
  readonly hooks: Readonly<Record<string, Hooks>>;
  readonly queries: Queries;
  readonly media: Media;
}

/** The same services: hooks, the check and plan of queries, and the storage of files run in spans. */
export const tracedServices = (
  tracing: Tracing | undefined,
  { hooks, queries, media }: TracedServices,
): TracedServices => {
  if (!tracing) return { hooks, queries, media };
  return {
    hooks: Object.fromEntries(Object.entries(hooks).map(([uid, own]) => [uid, tracing.methods(`hook ${uid}`, own)])),
    queries: tracing.methods("query", queries, ["prepare"]),
    media: { ...media, storage: tracing.methods("storage", media.storage, ["put", "read", "delete"]) },
  };
};
