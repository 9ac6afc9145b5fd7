import { expect, test } from "vitest";
import { cmsOutput, emptyFolder, serve } from "../support/cms.ts";
import { copyExample } from "../support/packed.ts";
import { useServer } from "../support/project.ts";

test("the example is filled once and serves its content to everyone", async () => {
  const root = await emptyFolder();
  await copyExample(root);
  await useServer(root);
  await cmsOutput(root, ["migrate"]);
  expect(await cmsOutput(root, ["seed"])).toMatch(/^seed: \d+ created, 0 there before$/m);
  expect(await cmsOutput(root, ["seed"])).toMatch(/^seed: 0 created, \d+ there before$/m);
  const translated = await cmsOutput(root, ["locales", "status"]);
  expect(translated).toMatch(/^type\tlocale\tpublished\tdraft\toutdated\tmissing$/m);
  expect(translated).toMatch(/^api::article\.article\tde\t11\t0\t0\t2$/m);
  expect(await cmsOutput(root, ["locales", "status", "--documents"])).toMatch(
    /^api::article\.article\t[a-z0-9]{24}\tde\tmissing$/m,
  );
  await cmsOutput(root, ["permissions", "apply"]);
  const { url } = await serve(root);
  const get = async (path: string) => (await fetch(`${url}/api${path}`)).json();

  const { data, meta } = await get("/articles?populate=*&filters[slug]=the-last-rope-walk");
  expect(meta.pagination.total).toBe(1);
  expect(data[0]).toMatchObject({
    title: "The last rope walk",
    author: { name: "Ida Brandt" },
    cover: { mime: "image/webp", width: 1200 },
    categories: [{ slug: "craft" }],
    localizations: [{ locale: "de", title: "Die letzte Reeperbahn" }],
  });
  expect(data[0].author).not.toHaveProperty("email");
  expect((await fetch(url + data[0].cover.url)).headers.get("content-type")).toBe("image/webp");

  expect((await get("/articles?pagination[pageSize]=100")).meta.pagination.total).toBe(12);
  expect((await get("/articles?locale=de")).meta.pagination.total).toBe(11);
  const home = await get("/homepage?locale=de&populate[sections][populate]=*");
  expect(home.data.sections).toMatchObject([
    { __component: "blocks.hero" },
    { __component: "blocks.articles" },
    { __component: "blocks.quote" },
  ]);
  expect((await get("/global?populate=navigation")).data.navigation).toHaveLength(4);
  expect((await fetch(`${url}/api/articles`, { method: "POST" })).status).toBe(403);
});
