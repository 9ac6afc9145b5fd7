/** `documents.strictRelations: false`: required relations and files may be missing, as in Strapi unless it is told otherwise. */
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import application from "../../../generated/index.ts";
import type { ContentTypeModule } from "../../../runtime/app/application.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import type { Uid } from "../../../runtime/schema/content-type.ts";
import { fileId, toOne } from "../../../runtime/schema/validation/links.ts";
import { administrator, authApp, textAt } from "../../support/auth-app.ts";
import { freshDatabase } from "../../support/database.ts";

const missing = (name: string) => ({
  status: 400,
  body: { error: { details: { errors: [{ path: [name], message: `${name} must be defined.` }] } } },
});

test("they are asked for when something is published, unless the configuration says that they may be missing", async () => {
  const contentTypes: Readonly<Record<Uid, ContentTypeModule>> = application.contentTypes;
  const needing = (uid: Uid, schema: z.ZodRawShape): Record<Uid, ContentTypeModule> => {
    const found = contentTypes[uid];
    if (!(found?.validator instanceof z.ZodObject)) throw new Error(`no type ${uid}`);
    return { [uid]: { ...found, validator: found.validator.extend(schema) } };
  };
  const demanding = {
    ...application,
    contentTypes: {
      ...contentTypes,
      ...needing("api::author.author", { portrait: fileId() }),
      ...needing("api::article.article", { author: toOne() }),
    },
  };
  const database = await freshDatabase("postgres", onTestFinished);
  await migrate(database, "generated/migrations");
  const serve = async (strictRelations: boolean) => {
    const config = { documents: { strictRelations } };
    const app = await authApp({ database, application: demanding, config, cleanup: onTestFinished });
    const token = await administrator(app);
    return (method: string, path: string, data?: object) =>
      app.send(method, `/api${path}`, { token, ...(data ? { body: { data } } : {}) });
  };
  const [strict, loose] = [await serve(true), await serve(false)];
  const author = { name: "Ada", slug: "ada" };
  const article = { title: "Sea", slug: "sea" };

  expect(await strict("POST", "/authors", author)).toMatchObject(missing("portrait"));
  expect(await strict("POST", "/articles", article)).toMatchObject(missing("author"));
  const draft = await strict("POST", "/articles?status=draft", article);
  const path = `/articles/${textAt(draft.body, "data.documentId")}`;
  expect(await strict("POST", `${path}/actions/publish`)).toMatchObject(missing("author"));

  expect((await loose("POST", "/authors", author)).status).toBe(201);
  expect((await loose("POST", `${path}/actions/publish`)).status).toBe(200);
  expect((await loose("PUT", path, { author: null })).status).toBe(200);
  // What else is required is asked for, and what is named has to be there.
  expect(await loose("PUT", path, { title: null })).toMatchObject({ status: 400 });
  expect(await loose("PUT", path, { author: "nobodynobodynobodynobody" })).toMatchObject({ status: 400 });
  expect(await strict("PUT", path, { author: null })).toMatchObject(missing("author"));
});
