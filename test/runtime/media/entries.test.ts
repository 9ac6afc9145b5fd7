import sharp from "sharp";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { storeFile } from "../../../runtime/media/store.ts";
import { mediaApp } from "../../support/media-app.ts";

const server = await mediaApp(afterAll);
const { services } = server;

const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
  .png()
  .toBuffer();
const picture = () => storeFile(services, { name: "a.png", content: png });
const note = await storeFile(services, { name: "a.txt", content: Buffer.from("note") });

const send = async (method: string, path: string, data: object, { app } = server) => {
  const answer = await app.request(`/api/articles${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ data }),
  });
  return { status: answer.status, body: await answer.json() };
};

const populate =
  "?populate[cover]=true&populate[gallery]=true&populate[hero][populate]=*&populate[sections][populate]=*";

test("entries show their files, until the files are deleted", async () => {
  const [cover, first, second, inside, inZone] = [
    await picture(),
    await picture(),
    note,
    await picture(),
    await picture(),
  ];
  const { status, body } = await send("POST", populate, {
    cover: cover.id,
    gallery: [second.id, first.id],
    hero: { picture: inside.id },
    sections: [{ __component: "blocks.hero", picture: inZone.id }],
  });
  expect(status).toBe(201);
  expect(body.data.cover).toEqual(cover);
  expect(body.data.gallery).toEqual([note, first]);
  expect(body.data.hero).toEqual({ id: expect.any(Number), picture: inside });
  expect(body.data.sections).toMatchObject([{ __component: "blocks.hero", picture: inZone }]);

  for (const { id } of [cover, first, inside, inZone]) {
    await server.app.request(`/api/upload/files/${id}`, { method: "DELETE" });
  }
  const answer = await server.app.request(`/api/articles/${body.data.documentId}${populate}`);
  const { data } = await answer.json();
  expect(data).toMatchObject({ cover: null, gallery: [note], hero: { picture: null }, sections: [{ picture: null }] });
});

test("an attribute takes only the types that it allows, wherever it stands", async () => {
  const { status, body } = await send("POST", "", {
    cover: note.id,
    gallery: [note.id],
    hero: { picture: note.id },
    sections: [{ __component: "blocks.hero" }, { __component: "blocks.hero", picture: { connect: [note.id] } }],
  });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ name: "ValidationError", message: "3 errors occurred" });
  expect(body.error.details.errors).toEqual(
    [["cover"], ["hero", "picture"], ["sections", "1", "picture"]].map((path) => ({
      path,
      message: `${path.join(".")} takes images, and file ${note.id} is none of them`,
      name: "ValidationError",
      value: note.id,
    })),
  );
  expect((await send("POST", "", { cover: 999_999 })).status).toBe(400);
});

test("with enforceAllowedTypes off, an attribute takes any file", async () => {
  const lenient = await mediaApp(onTestFinished, {
    config: { media: { enforceAllowedTypes: false } },
    database: server.database,
  });
  expect((await send("POST", "", { cover: note.id }, lenient)).status).toBe(201);
});
