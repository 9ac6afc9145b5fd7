/** What the documentation says of rights, hooks and files, tried over HTTP. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import application from "../../generated/index.ts";
import { defineExtension } from "../../runtime/app/extension.ts";
import { can, everyone } from "../../runtime/http/rest/index.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

const ARTICLE = "api::article.article";
const ran: string[] = [];
const extensions = {
  ...application.extensions,
  [ARTICLE]: defineExtension<typeof ARTICLE>({
    hooks: { beforeUpdate: () => void ran.push("before"), afterUpdate: () => void ran.push("after") },
    routes(router) {
      router.get("/shop/open", everyone(), (c) => c.json({ open: true }));
      router.use("/shop/*", can("api::shop.shop.manage"));
      router.get("/shop/orders", (c) => c.json({ orders: [] }));
      router.get("/shop/orders/:id", (c) => c.json({ order: c.req.param("id") }));
    },
  }),
  "api::author.author": defineExtension<"api::author.author">({
    hooks: { afterRead: () => ({ name: "Hidden" }) },
  }),
};
const { send, upload, token, allowPublic, documents } = await exampleApp(
  afterAll,
  await exampleDatabase(),
  { fields: { public: { "api::category.category": ["name"] } } },
  { ...application, extensions },
).then((app) => ({ ...app, documents: app.services.documents }));
const full = await token();
const picture = { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

const fileOf = z.array(z.object({ id: z.number() })).nonempty();
const uploaded = async (...more: Parameters<typeof upload>[0]): Promise<number> =>
  Number(fileOf.parse((await upload([picture, ...more], full)).body)[0]?.id);

test("uploads run no hooks, whether or not they put a file into an attribute", async () => {
  const { documentId } = await documents(ARTICLE).create({ data: { title: "Tea", slug: "hooks" } });
  await uploaded();
  await uploaded(
    { field: "ref", content: ARTICLE },
    { field: "refId", content: documentId },
    { field: "field", content: "cover" },
  );
  const shown = await documents(ARTICLE).findOne(documentId, { populate: { cover: true } });
  expect(shown?.cover).toMatchObject({ name: "a.svg" });
  expect(ran).toEqual([]);
  await documents(ARTICLE).update(documentId, { data: { title: "Green tea" } });
  expect(ran).toEqual(["before", "after"]);
});

test("a file in content is shown to who may find the content, without a permission for files", async () => {
  const cover = await uploaded();
  const { documentId } = await documents(ARTICLE).create({ data: { title: "Milk", slug: "files", cover } });
  await allowPublic(`${ARTICLE}.findOne`, `${ARTICLE}.find`);
  expect((await send("GET", "/api/upload/files")).status).toBe(403);
  const answer = await send("GET", `/api/articles/${documentId}?populate=cover`);
  expect(answer.body).toMatchObject({ data: { cover: { id: cover, name: "a.svg" } } });
});

test("clients find by what is stored, though a hook shows something else", async () => {
  await documents("api::author.author").create({ data: { name: "Grace", slug: "grace" } });
  const answer = await send("GET", "/api/authors?filters[name]=Grace", { token: full });
  expect(answer.body).toMatchObject({ data: [{ name: "Hidden", slug: "grace" }] });
});

const statuses = async (who: object): Promise<readonly number[]> => {
  const answers = ["open", "orders", "orders/5"].map((name) => send("GET", `/api/shop/${name}`, who));
  return (await Promise.all(answers)).map(({ status }) => status);
};

test("what guards a path guards every route below it that comes later, and none before it", async () => {
  const manager = await token("api::shop.shop.manage");
  expect(await statuses({})).toEqual([200, 403, 403]);
  expect(await statuses({ token: manager })).toEqual([200, 200, 200]);
});

test("ids and dates are shown whatever a list of attributes leaves out", async () => {
  await documents("api::category.category").create({ data: { name: "Tides", slug: "tides" } });
  await allowPublic("api::category.category.find");
  const { body } = await send("GET", "/api/categories?filters[name]=Tides");
  const [shown] = z.object({ data: z.array(z.record(z.string(), z.unknown())) }).parse(body).data;
  expect(Object.keys(shown ?? {}).toSorted()).toEqual([
    "createdAt",
    "documentId",
    "id",
    "locale",
    "name",
    "publishedAt",
    "updatedAt",
  ]);
});

test("the header of version 4 nests an answer, and leaves requests as they are in version 5", async () => {
  const { documentId, id } = await documents(ARTICLE).create({ data: { title: "Salt", slug: "nested" } });
  const nested = { token: full, headers: { "Strapi-Response-Format": "v4" } };
  const answer = await send("GET", `/api/articles/${documentId}`, nested);
  expect(answer.body).toMatchObject({ data: { id, attributes: { title: "Salt" } } });
  expect((await send("GET", `/api/articles/${id}`, nested)).status).toBe(404);
});
