/** Loads the parts of the runtime that a project asks for. */
import { SetupError } from "../base/setup-error.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Feature } from "../http/services.ts";
import type { Application } from "./application.ts";

type Content = OperationServices & { readonly recorders: Recorder[] };

/**
 * Opens the features of a project. What they record of changes is recorded from then on.
 *
 * @throws SetupError when the application uses what the configuration does not turn on
 */
export const openFeatures = async (services: Content, { app }: Application): Promise<readonly Feature[]> => {
  const features: Feature[] = [];
  const { config } = services;
  if (config.events) {
    const { openEvents } = await import("../events/events.ts");
    const { feature, recorder } = await openEvents(services, config.events, app?.events ?? {});
    features.push(feature);
    services.recorders.push(recorder);
  } else if (app?.events) throw new SetupError('app.ts has "events": set events: {} in cms.config.ts');
  return features;
};

/** Starts the work of features. Returns what ends it. */
export const startFeatures = async (features: readonly Feature[]): Promise<() => Promise<void>> => {
  const ends = await Promise.all(features.map((feature) => feature.start?.()));
  return async () => void (await Promise.all(ends.map((end) => end?.())));
};
