/** Servers of one database with events, and receivers of their webhooks. */
import { afterAll, onTestFinished } from "vitest";
import example from "../../../generated/index.ts";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import { system } from "../../../runtime/access/caller.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { startFeatures } from "../../../runtime/app/features.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import type { EventHandlers } from "../../../runtime/documents/committed-event.ts";
import { type Acting, type DeliveryFilter, listDeliveries } from "../../../runtime/events/administration.ts";
import * as tables from "../../../runtime/events/tables.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { type Answering, openReceiver, type Receiver } from "../../support/webhook-receiver.ts";

/** A receiver of webhooks until the end of the test. */
export const receiver = (answer?: Answering, host?: string): Promise<Receiver> =>
  openReceiver({ answer, ...(host === undefined ? {} : { host }), atEnd: onTestFinished });

/** Gives an empty database the tables of the example, and those of events. */
export const createEventsTables = async (database: Database): Promise<void> => {
  await migrate(database, "generated/migrations");
  await database.script(creationSql(describeTables(Object.values(tables))));
};

export const eventsDatabase = async (): Promise<Database> => {
  const database = await freshDatabase("postgres", afterAll);
  await createEventsTables(database);
  return database;
};

/** Local receivers are allowed, and attempts follow one another at once. */
const PATIENT = { allowAddresses: ["127.0.0.1"], retrySeconds: [0.05, 0.05, 0.05] };

interface Given extends Pick<ConfigInput, "fields" | "permissions"> {
  readonly handlers?: EventHandlers;
  readonly extensions?: Application["extensions"];
}

/** A process that serves the example with events. */
export const serve = async (
  database: Database,
  events: NonNullable<ConfigInput["events"]>,
  { handlers, extensions, ...config }: Given = {},
) => {
  const app = await exampleApp(
    (work) => onTestFinished(work),
    database,
    {
      ...config,
      events: { ...PATIENT, ...events },
      locales: { default: "en", codes: ["en", "de"] },
      server: { shutdownSeconds: 1 },
    },
    {
      ...example,
      ...(extensions ? { extensions } : {}),
      ...(handlers ? { app: { ...example.app, events: handlers } } : {}),
    },
  );
  const end = await startFeatures(app.services);
  onTestFinished(end);
  return { ...app, tags: app.services.documents("api::tag.tag"), end };
};

let names = 0;

/** Values of a tag that there is not yet. */
export const tag = (): { readonly name: string; readonly slug: string } => {
  names += 1;
  return { name: `tag ${names}`, slug: `tag-${names}` };
};

/** The newest deliveries that match. */
export const deliveriesIn = async (database: Database, filter: DeliveryFilter) =>
  (await listDeliveries(database, filter)).data;

/** Changes webhooks as the application itself. */
export const acting = (database: Database): Acting => ({ database, recorders: [], by: system });
