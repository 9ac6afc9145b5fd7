/** The example, whose articles, tags and home page keep their versions. */
import { onTestFinished } from "vitest";
import example from "../../../generated/index.ts";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import type { Application } from "../../../runtime/app/application.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { documentVersions } from "../../../runtime/history/versions/tables.ts";
import * as rest from "../../../runtime/http/rest/index.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import type { Answer } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { type DatabaseKind, freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";

type History = NonNullable<ContentType["history"]>;

/** As the routes of a collection type with drafts and history are generated. */
export const routesOf = (type: ContentType) => {
  const { uid } = type;
  const list = `/${type.pluralName}`;
  const one = `${list}/:documentId`;
  return rest
    .router()
    .get(list, rest.can(`${uid}.find`), rest.find(type))
    .post(list, rest.can(`${uid}.create`), rest.create(type))
    .get(one, rest.can(`${uid}.findOne`), rest.findOne(type))
    .put(one, rest.can(`${uid}.update`), rest.update(type))
    .delete(one, rest.can(`${uid}.delete`), rest.remove(type))
    .post(`${one}/actions/publish`, rest.can(`${uid}.publish`), rest.publish(type))
    .post(`${one}/actions/unpublish`, rest.can(`${uid}.unpublish`), rest.unpublish(type))
    .get(`${list}/versions/deleted`, rest.can(`${uid}.findDeleted`), rest.findDeleted(type))
    .get(`${one}/versions`, rest.can(`${uid}.findVersions`), rest.findVersions(type))
    .get(`${one}/versions/:version`, rest.can(`${uid}.findVersion`), rest.findVersion(type))
    .get(`${one}/versions/:version/difference`, rest.can(`${uid}.compareVersions`), rest.compareVersions(type))
    .post(`${one}/versions/:version/restore`, rest.can(`${uid}.restoreVersion`), rest.restoreVersion(type));
};

/** The example with versions of the types that are named by their uids. */
export const keeping = (kept: Readonly<Record<string, History>>): Application => ({
  ...example,
  contentTypes: Object.fromEntries(
    Object.entries(example.contentTypes).map(([uid, declared]) => {
      const history = kept[uid];
      if (!history) return [uid, declared];
      const type = { ...declared.type, history };
      return [uid, { ...declared, type, routes: routesOf(type) }];
    }),
  ),
});

export const article = "api::article.article";
export const tag = "api::tag.tag";

/** What a test looks into. */
// oxlint-disable-next-line no-explicit-any
type Any = any;

interface Wanted {
  readonly kind?: DatabaseKind;
  readonly config?: ConfigInput;
  readonly served?: Application;
}

/** A server, and ways to ask it as somebody who may do all. */
export const world = async ({
  kind = "postgres",
  config = {},
  served = keeping({ [article]: {}, [tag]: {} }),
}: Wanted = {}) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  await migrate(database, "generated/migrations");
  await database.script(creationSql(describeTables([documentVersions])));
  const locales = { default: "en", codes: ["en", "de"] };
  const app = await exampleApp(onTestFinished, database, { locales, rest: { drafts: "readDraft" }, ...config }, served);
  const token = await app.token();
  const ask = async (method: string, path: string, body?: object, by = token): Promise<Answer> =>
    app.send(method, `/api${path}`, { token: by, ...(body ? { body } : {}) });
  /** The member `data` of an answer, which has to have the status 200 or 201. */
  const data = async (method: string, path: string, body?: object, by = token): Promise<Any> => {
    const answer = await ask(method, path, body, by);
    if (answer.status > 201) throw new Error(`${answer.status} ${answer.text}`);
    return Object(answer.body).data;
  };
  const created = async (values: object, query = ""): Promise<string> =>
    (await data("POST", `/articles${query}`, { data: values })).documentId;
  return { app, database, statements, token, ask, data, created };
};
