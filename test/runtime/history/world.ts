/** Articles of the example that can be scheduled, and ways to set, see and hasten their schedules. */
import { onTestFinished } from "vitest";
import example from "../../../generated/index.ts";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import type { Application } from "../../../runtime/app/application.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { builder, type Database, run } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import {
  can,
  discardDraft,
  findOne,
  publish,
  remove,
  router,
  schedule,
  unpublish,
  update,
} from "../../../runtime/http/rest/index.ts";
import { documentSchedules } from "../../../runtime/schedules/tables.ts";
import { startSchedules } from "../../../runtime/schedules/worker.ts";
import type { Answer } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { type DatabaseKind, freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";

export const uid = "api::article.article";
const declared = example.contentTypes[uid];
if (!declared) throw new Error("the example has no articles");
const type = { ...declared.type, schedule: true };

const routes = router()
  .get("/articles/:documentId", can(`${uid}.findOne`), findOne(type))
  .put("/articles/:documentId", can(`${uid}.update`), update(type))
  .delete("/articles/:documentId", can(`${uid}.delete`), remove(type))
  .post("/articles/:documentId/actions/publish", can(`${uid}.publish`), publish(type))
  .post("/articles/:documentId/actions/unpublish", can(`${uid}.unpublish`), unpublish(type))
  .post("/articles/:documentId/actions/discard-draft", can(`${uid}.discardDraft`), discardDraft(type))
  .post("/articles/:documentId/actions/schedule", can(`${uid}.schedule`), schedule(type));

/** The example, whose articles can be scheduled. */
export const application: Application = {
  ...example,
  contentTypes: { ...example.contentTypes, [uid]: { ...declared, type, routes } },
};

export interface Wanted {
  readonly kind?: DatabaseKind;
  readonly config?: ConfigInput;
  /** The application to serve, which has schedules unless it says otherwise. */
  readonly served?: Application;
}

/** A server with one draft of an article. Schedules wait until `carryOut`. */
export const world = async ({ kind = "postgres", config = {}, served = application }: Wanted = {}) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  await migrate(database, "generated/migrations");
  await database.script(creationSql(describeTables([documentSchedules])));
  const app = await exampleApp(onTestFinished, database, { rest: { drafts: "readDraft" }, ...config }, served);
  const token = await app.token();
  const { documentId } = await app.services.documents(uid).create({ status: "draft", data: { title: "A", slug: "a" } });
  const path = `/api/articles/${documentId}`;
  const set = (data: object, by = token, query = ""): Promise<Answer> =>
    app.send("POST", `${path}/actions/schedule${query}`, { token: by, body: { data } });
  const draft = async (by = token) => (await app.send("GET", `${path}?status=draft`, { token: by })).body;
  const isPublic = async (): Promise<boolean> => (await app.send("GET", path, { token })).status === 200;
  const carryOut = () => {
    const { stop } = startSchedules(app.services);
    onTestFinished(stop);
  };
  return { app, database, statements, token, documentId, path, set, draft, isPublic, carryOut };
};

/** An instant by the clock of the test, which the database shares. */
export const after = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

export const HOUR = 3_600_000;

export const messageOf = ({ body }: Answer): unknown => Object(Object(body).error).message;

/** As if time had passed. */
export const makeDue = (database: Database, action: string): Promise<unknown> =>
  database.rows("update document_schedules set at = (now() at time zone 'utc') - interval '1 hour' where action = $1", [
    action,
  ]);

/** What became of all schedules, in the order in which they were set. */
export const states = async (database: Database): Promise<unknown> =>
  run(
    database,
    builder
      .select({ action: documentSchedules.action, state: documentSchedules.state, reason: documentSchedules.reason })
      .from(documentSchedules)
      .orderBy(documentSchedules.id),
  );
