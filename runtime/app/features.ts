/** Loads the optional parts of the runtime that a project uses. */
import { SetupError } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import type { EventHandlers } from "../documents/committed-event.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Feature, Services } from "../http/context.ts";
import type { MetricSources } from "../telemetry/metrics.ts";
import type { Application } from "./application.ts";

type Content = OperationServices & { readonly recorders: Recorder[] };

/** A feature, and its recorder of changes. */
interface Opened {
  readonly feature: Feature;
  readonly recorder?: Recorder;
}

/** Loads the optional operations that a project uses. */
export const loadOperations = async ({
  contentTypes,
}: Application): Promise<Pick<OperationServices, "schedules" | "versions">> => {
  const types = Object.values(contentTypes).map(({ type }) => type);
  const [schedules, versions] = await Promise.all([
    types.some(({ schedule }) => schedule) ? import("../schedules/schedules.ts") : undefined,
    types.some(({ history }) => history) ? import("../history/versions/versions.ts") : undefined,
  ]);
  return { schedules: schedules?.createSchedules(), versions: versions?.createVersions() };
};

/** The recorders of what a command does without the services of a server. */
export const commandRecorders = async ({
  config: { audit },
  command,
}: {
  readonly config: Pick<Config, "audit">;
  readonly command: string;
}): Promise<readonly Recorder[]> => (audit ? [(await import("../audit/feature.ts")).recorderFor(command)] : []);

/** Opens what feeds a search engine outside of the database. */
const openFeed = async (services: Content) => {
  const { search, events } = services.config;
  if (typeof search.engine !== "object") return undefined;
  if (!events) throw new SetupError("search.engine is fed by events: set events: {} in cms.config.ts");
  const { createFeed } = await import("../search/feed.ts");
  return createFeed(search.engine, services.queries.schema, services);
};

const openEvents = async (services: Content, handlers: EventHandlers | undefined): Promise<Opened | undefined> => {
  const { events } = services.config;
  if (events) return (await import("../events/events.ts")).openEvents(services, events, handlers ?? {});
  if (handlers) throw new SetupError('app.ts has "events": set events: {} in cms.config.ts');
  return undefined;
};

/**
 * Opens the features of a project. They record changes from then on.
 *
 * @param command the command that this process runs
 *
 * @throws SetupError when the application uses something that the configuration does not enable
 */
export const openFeatures = async (
  services: Content,
  application: Application,
  command?: string,
): Promise<readonly Feature[]> => {
  const { config, registry, schedules, versions } = services;
  const { audit, media, panel, sharing } = config;
  const feed = await openFeed(services);
  const opened: readonly (Opened | false | undefined)[] = await Promise.all([
    versions && import("../history/versions/feature.ts").then(({ openVersions }) => openVersions()),
    schedules && import("../schedules/worker.ts").then((room) => ({ feature: room.schedulesFeature(registry) })),
    openEvents(services, feed ? feed.beside(application.app?.events) : application.app?.events),
    feed,
    sharing && import("../sharing/feature.ts").then((room) => ({ feature: room.sharingFeature(sharing) })),
    media.folders && import("../folders/feature.ts").then((room) => ({ feature: room.foldersFeature() })),
    panel && import("./panel/administration.ts").then(({ openAdministration }) => openAdministration(panel)),
    audit && import("../audit/feature.ts").then(({ openAudit }) => openAudit(audit, command)),
  ]);
  const features = opened.filter((each) => typeof each === "object");
  services.recorders.push(...features.flatMap(({ recorder }) => recorder ?? []));
  return features.map(({ feature }) => feature);
};

/** Starts the work of the features. Returns the function that stops it. If one fails to start, all are stopped. */
export const startFeatures = async (services: Services): Promise<() => Promise<void>> => {
  const starts = await Promise.allSettled(services.features.map((feature) => feature.start?.(services)));
  const end = async (): Promise<void> =>
    void (await Promise.all(starts.map((each) => (each.status === "fulfilled" ? each.value?.() : undefined))));
  const failed = starts.find(({ status }) => status === "rejected");
  if (failed?.status !== "rejected") return end;
  await end();
  throw failed.reason;
};

/** Ends open-ended responses. */
export const drainFeatures = (features: readonly Feature[]): void => {
  for (const feature of features) feature.drain?.();
};

/** The sources of a server's metrics. */
export const metricSources = (
  { config, database }: Pick<Services, "config" | "database">,
  services: () => Services,
): MetricSources => ({
  database,
  responseCache: () => services().responseCache,
  queue:
    config.events &&
    (async () =>
      services()
        .features.find(({ queueLoad }) => queueLoad)
        ?.queueLoad?.()),
});
