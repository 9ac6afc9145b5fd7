/** What the sites in `examples/` ask of the server. `npm run examples` runs the sites themselves. */
import { expect, onTestFinished, test, vi } from "vitest";
import { picture, readMagazine, readStories, readStory } from "../../examples/magazine/content.ts";
import { logIn, logOut, propose, visitorName } from "../../examples/magazine/visitor.ts";
import { listen } from "../../runtime/http/listen.ts";
import { registration } from "../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

/** What a framework gives a page: cookies of the request, and later those that were set. */
const cookieJar = () => {
  const kept = new Map<string, { value: string; httpOnly: boolean }>();
  return {
    get: (name: string) => kept.get(name),
    set: (name: string, value: string, { httpOnly }: { httpOnly: boolean }) => kept.set(name, { value, httpOnly }),
  };
};

const formOf = (values: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
};

test("the sites read what is published or drafts, and their forms log in and propose", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase(), {
    locales: { default: "en", codes: ["en", "de"] },
  });
  await app.allowPublic(
    ...["article.article", "author.author", "global.global"].map((type) => `api::${type}.find`),
    "api::article.article.findOne",
  );
  await app.allowUsers("api::article.article.create");
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  const token = await app.token();
  vi.stubEnv("CMS_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("CMS_TOKEN", token);
  const write = (method: string, path: string, data: object) => app.send(method, path, { token, body: { data } });
  await write("PUT", "/api/global", { siteName: "Quayside" });
  await write("POST", "/api/articles", { title: "Tide", slug: "tide" });
  const account = registration("ada");
  await app.send("POST", "/api/auth/local/register", { body: account });

  const published = { locale: "en", preview: false } as const;
  const drafts = { locale: "en", preview: true } as const;
  expect(await readMagazine(published)).toMatchObject({ siteName: "Quayside", tagline: null });
  expect(await readStories(published)).toMatchObject([{ title: "Tide", cover: null, author: null }]);
  expect(await readStories({ ...published, locale: "de" })).toEqual([]);
  expect(await readStory(published, "tide")).toMatchObject({ title: "Tide", body: null });

  const cookies = cookieJar();
  const story = formOf({ title: "Über Knots & Ropes", excerpt: "…" });
  expect(await propose(cookies, "en", story)).toBe("Forbidden");
  const credentials = { identifier: account.username, password: account.password };
  expect(await logIn(cookies, formOf({ ...credentials, password: "wrong" }))).toBe("Invalid identifier or password");
  expect(visitorName(cookies)).toBeUndefined();
  expect(await logIn(cookies, formOf(credentials))).toBeUndefined();
  expect(visitorName(cookies)).toBe("ada");
  expect(cookies.get("session")?.httpOnly).toBe(true);
  expect(await propose(cookies, "en", story)).toBeUndefined();
  expect(await propose(cookies, "en", formOf({ title: "x".repeat(121) }))).toContain("at most 120 characters");
  expect(await readStory(published, "uber-knots-ropes")).toBeUndefined();
  expect(await readStory(drafts, "uber-knots-ropes")).toMatchObject({ title: "Über Knots & Ropes" });
  await logOut(cookies);
  expect(visitorName(cookies)).toBeUndefined();
  expect(await propose(cookies, "en", story)).toBe("Forbidden");
});

test("pictures of the sites have all sizes that the server made", () => {
  vi.stubEnv("CMS_URL", "https://cms.example");
  const format = { name: "small", hash: "a", ext: ".webp", mime: "image/webp", path: null, size: 1, sizeInBytes: 1024 };
  expect(
    picture({
      url: "/uploads/a.webp",
      alternativeText: null,
      width: 1200,
      height: 800,
      formats: { small: { ...format, width: 500, height: 333, url: "https://cdn.example/small.webp" } },
    }),
  ).toEqual({
    src: "https://cms.example/uploads/a.webp",
    srcSet: "https://cdn.example/small.webp 500w, https://cms.example/uploads/a.webp 1200w",
    alt: "",
    width: 1200,
    height: 800,
  });
});
