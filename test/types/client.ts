/** What the compiler says of the answers of the generated client. Checked by `npm run typecheck`. */
import { createClient, type Article } from "../../generated/client/index.ts";
import { type CursorInfo, type OffsetInfo, type PageInfo, RequestError } from "../../runtime/client/index.ts";
import type { FindQuery } from "../../runtime/schema/typed/index.ts";
import { is } from "./same.ts";

const cms = createClient({ url: "https://cms.example" });

export const read = async (): Promise<void> => {
  const { data, meta } = await cms.articles.find({
    filters: { author: { name: { $eq: "Ada" } } },
    populate: { author: true, cover: { fields: ["url"] } },
    fields: ["title"],
    sort: ["publishedAt:desc"],
  });
  is<PageInfo>().of(meta.pagination, true);
  const [first] = data;
  is<string | undefined>().of(first?.author?.name, true);
  is<{ id: number; documentId: string; url: string } | null | undefined>().of(first?.cover, true);
  // @ts-expect-error left out by `fields`
  void first?.body;
  // @ts-expect-error private
  void first?.author?.email;
  // @ts-expect-error not populated
  void first?.author?.portrait;

  const { data: pictured } = await cms.articles.find({ populate: { cover: { fields: ["formats"] } } });
  is<string | undefined>().of(pictured[0]?.cover?.formats?.["small"]?.url, true);

  const { data: article } = await cms.articles.findOne("a", {
    status: "draft",
    fields: ["slug", "locale", "publishedAt"],
    populate: { author: { fields: ["name"] }, related: { fields: ["slug"], populate: ["seo"] } },
  });
  is<string | null>().of(article.slug, true);
  is<string | null>().of(article.publishedAt, true);
  is<{ id: number; documentId: string; name: string } | null>().of(article.author, true);
  is<string | null | undefined>().of(article.related[0]?.seo?.metaTitle, true);

  const { data: plain } = await cms.articles.findOne("a");
  is<string>().of(plain.title, true);
  // @ts-expect-error relations are not there unless they are asked for
  void plain.author;

  const { data: home } = await cms.homepage.find({ populate: { sections: { populate: "*" } } });
  for (const section of home.sections) {
    if (section.__component === "blocks.articles") is<string | undefined>().of(section.articles[0]?.title, true);
    // @ts-expect-error of another component
    if (section.__component === "blocks.text") void section.articles;
  }
  const { data: part } = await cms.homepage.find({ populate: { sections: { on: { "blocks.quote": true } } } });
  is<{ __component: "blocks.quote"; id: number; text: string; attribution: string | null }[]>().of(part.sections, true);

  for await (const { title, tags } of cms.articles.all({ fields: ["title"], populate: { tags: { count: true } } })) {
    is<string>().of(title, true);
    is<{ count: number }>().of(tags, true);
  }
  const offset = await cms.tags.find({ pagination: { start: 5, limit: 5 } });
  is<OffsetInfo>().of(offset.meta.pagination, true);
  const uncounted = await cms.tags.find({ pagination: { page: 2, withCount: false } });
  is<{ readonly page: number; readonly pageSize: number }>().of(uncounted.meta.pagination, true);
  const cursors = await cms.tags.find({ pagination: { after: "", pageSize: 5 } });
  is<CursorInfo>().of(cursors.meta.pagination, true);
  const next = await cms.tags.find({
    pagination: { after: cursors.meta.pagination.after ?? "", limit: 5, withCount: true },
  });
  is<{ readonly limit: number; readonly after: string | null; readonly total: number }>().of(
    next.meta.pagination,
    true,
  );

  const query: FindQuery<Article> = { sort: "title" };
  // @ts-expect-error what code of the server may ask for may name what is private
  await cms.articles.find(query);
};

export const written = async (): Promise<void> => {
  const { data } = await cms.articles.create({
    data: {
      title: "Tea",
      slug: "tea",
      tags: { connect: ["a"] },
      sections: [{ __component: "blocks.quote", text: "…" }],
    },
    locale: "de",
    fields: ["title"],
    populate: "tags",
  });
  is<string>().of(data.title, true);
  is<string | undefined>().of(data.tags[0]?.name, true);
  const draft = await cms.articles.create({ data: {}, status: "draft" });
  is<string | null>().of(draft.data.title, true);
  const { data: published } = await cms.articles.publish(data.documentId, { fields: ["publishedAt"] });
  is<string>().of(published.publishedAt, true);
  const { data: left } = await cms.articles.unpublish(data.documentId, { fields: ["publishedAt"] });
  is<string | null>().of(left.publishedAt, true);
  await cms.articles.discardDraft(data.documentId, { populate: { author: true } }, { signal: AbortSignal.timeout(5) });
  await cms.homepage.publish({ locale: "de" });
  is<void>().of(await cms.articles.delete(data.documentId, { locale: "*" }), true);
  const { data: global } = await cms.global.update({ data: { siteName: "Tea" }, fields: ["siteName"] });
  is<string>().of(global.siteName, true);
};

export const accounts = async (): Promise<void> => {
  const { user, jwt } = await cms.auth.login({ identifier: "ada", password: "…" });
  is<string | undefined>().of(jwt, true);
  is<string>().of(user.username, true);
  // @ts-expect-error never in an answer
  void user.password;
  await cms.auth.register({ username: "ada", email: "ada@example.com", password: "…" });
  await cms.auth.logout({ scope: "all" });
  const me = await cms.users.me({ fields: ["username"], populate: { role: { fields: ["name"] } } });
  is<{ id: number; documentId: string; name: string } | null>().of(me.role, true);
  is<number>().of(await cms.users.count({ filters: { confirmed: true } }), true);
  is<string | undefined>().of((await cms.users.findOne(1, { fields: ["email"] }))?.email, true);
  const made = await cms.users.create({ username: "ada", email: "ada@example.com", password: "…", role: 1 });
  is<string | undefined>().of(made.role?.name, true);
  is<string | undefined>().of((await cms.users.update(1, { blocked: true })).role?.name, true);
  const [listed] = await cms.files.find({ fields: ["url"] });
  is<boolean | undefined>().of(listed?.isUrlSigned, true);
  const [file] = await cms.files.upload(new Blob(["a"]), {
    info: { caption: "A" },
    onProgress: ({ loaded }) => loaded,
  });
  is<string | undefined>().of(file?.url, true);
  is<boolean | undefined>().of((await cms.locales.find())[0]?.isDefault, true);
  const { ready } = await cms.request<{ ready: boolean }>("GET", "/ready", { query: { deep: true } });
  is<boolean>().of(ready, true);
};

export const failed = (error: unknown): string => {
  if (!(error instanceof RequestError)) return "";
  is<number>().of(error.status, true);
  is<(string | number)[] | undefined>().of(error.details.errors?.[0]?.path, true);
  return `${error.name}: ${error.message}`;
};
