/** A trigger of the project that leaves out a row says so to nobody: such a write is refused as a whole. */
import { afterEach, describe, expect, test } from "vitest";
import { textAt } from "../../support/auth-app.ts";
import { bothDatabases, type DatabaseKind } from "../../support/database.ts";
import { type Guarded, guarded } from "./guarded-world.ts";

/** What is left out is what the table `left_out` names: an operation, on drafts or on published versions. */
const open = guarded(`
  create table left_out (operation text, published boolean);
  create function leave_out() returns trigger language plpgsql as $$
  begin
    if exists (select from left_out where operation = tg_op and published = ((coalesce(new, old)).published_at is not null))
      then return null;
    end if;
    return coalesce(new, old);
  end $$;
  create trigger leave_out before insert or update or delete on articles for each row execute function leave_out();
  create trigger leave_out before insert or update or delete on tags for each row execute function leave_out();
`);

const MESSAGE = "A trigger or policy of the database has left this out";

const refusal = {
  data: null,
  error: {
    status: 400,
    name: "ValidationError",
    message: MESSAGE,
    details: { errors: [{ path: [], message: MESSAGE, name: "ValidationError" }] },
  },
};

let number = 0;
const article = () => {
  number += 1;
  return { title: `Title ${number}`, slug: `slug-${number}` };
};
const tag = () => {
  number += 1;
  return { name: `Tag ${number}`, slug: `tag-${number}` };
};

/** What writes are done to. */
interface There {
  readonly article: string;
  readonly draft: string;
  readonly tag: string;
}

type Work = (app: Guarded, there: There) => Promise<unknown>;
type Left = readonly [operation: "INSERT" | "UPDATE" | "DELETE", status: "draft" | "published"];

/** Requests over REST. */
const requests: Readonly<Record<string, readonly [Left, Work]>> = {
  "creating a draft": [["INSERT", "draft"], ({ ask }) => ask("POST", "/api/articles?status=draft", article())],
  "creating and publishing, for the draft": [["INSERT", "draft"], ({ ask }) => ask("POST", "/api/articles", article())],
  "creating and publishing": [["INSERT", "published"], ({ ask }) => ask("POST", "/api/articles", article())],
  "creating with links": [
    ["INSERT", "published"],
    ({ ask }, there) => ask("POST", "/api/articles?populate=tags", { ...article(), tags: [there.tag] }),
  ],
  "creating without drafts": [["INSERT", "published"], ({ ask }) => ask("POST", "/api/tags", tag())],
  "adding a locale": [
    ["INSERT", "draft"],
    ({ ask }, there) => ask("PUT", `/api/articles/${there.article}?locale=de`, article()),
  ],
  "changing a draft": [
    ["UPDATE", "draft"],
    ({ ask }, there) => ask("PUT", `/api/articles/${there.article}?status=draft`, { title: "Changed" }),
  ],
  "changing and publishing": [
    ["UPDATE", "published"],
    ({ ask }, there) => ask("PUT", `/api/articles/${there.article}`, { title: "Changed" }),
  ],
  "changing links only": [
    ["UPDATE", "published"],
    ({ ask }, there) => ask("PUT", `/api/articles/${there.article}?populate=tags`, { tags: [there.tag] }),
  ],
  "changing without drafts": [
    ["UPDATE", "published"],
    ({ ask }, there) => ask("PUT", `/api/tags/${there.tag}`, { name: "Changed" }),
  ],
  "publishing anew": [
    ["INSERT", "published"],
    ({ ask }, there) => ask("POST", `/api/articles/${there.draft}/actions/publish`),
  ],
  "publishing again": [
    ["UPDATE", "published"],
    ({ ask }, there) => ask("POST", `/api/articles/${there.article}/actions/publish`),
  ],
  "discarding a draft": [
    ["UPDATE", "draft"],
    ({ ask }, there) => ask("POST", `/api/articles/${there.article}/actions/discard-draft`),
  ],
  unpublishing: [
    ["DELETE", "published"],
    ({ ask }, there) => ask("POST", `/api/articles/${there.article}/actions/unpublish`),
  ],
  deleting: [["DELETE", "draft"], ({ ask }, there) => ask("DELETE", `/api/articles/${there.article}`)],
  "deleting without drafts": [["DELETE", "published"], ({ ask }, there) => ask("DELETE", `/api/tags/${there.tag}`)],
};

/** Calls of the document service. */
const calls: Readonly<Record<string, readonly [Left, Work]>> = {
  "creating many plain documents": [
    ["INSERT", "published"],
    ({ services }) => services.documents("api::tag.tag").createMany({ data: [tag(), tag()] }),
  ],
  "creating many with drafts": [
    ["INSERT", "draft"],
    ({ services }) => services.documents("api::article.article").createMany({ data: [article(), article()] }),
  ],
  "creating many drafts": [
    ["INSERT", "draft"],
    ({ services }) =>
      services.documents("api::article.article").createMany({ data: [article(), article()], status: "draft" }),
  ],
  "creating many with links": [
    ["INSERT", "published"],
    ({ services }, there) =>
      services.documents("api::article.article").createMany({ data: [article(), { ...article(), tags: [there.tag] }] }),
  ],
  "changing many": [
    ["UPDATE", "published"],
    ({ services }) =>
      services.documents("api::article.article").updateMany({ filters: {}, data: { excerpt: "Changed" } }),
  ],
  "deleting many": [
    ["DELETE", "published"],
    ({ services }) => services.documents("api::tag.tag").deleteMany({ filters: {} }),
  ],
  "one write of a transaction": [
    ["UPDATE", "published"],
    ({ services }, there) =>
      services.transaction(async ({ documents }) => {
        await documents("api::tag.tag").create({ data: tag() });
        await documents("api::tag.tag").update(there.tag, { data: { name: "Changed" } });
      }),
  ],
};

describe.each(bothDatabases)("on %s", (kind: DatabaseKind) => {
  afterEach(async () => {
    await (await open(kind)).database.rows("delete from left_out");
  });

  const prepare = async ([operation, status]: Left): Promise<{ app: Guarded; there: There }> => {
    const app = await open(kind);
    const made = async (path: string, data: object) =>
      textAt((await app.ask("POST", path, data)).body, "data.documentId");
    const there = {
      article: await made("/api/articles", article()),
      draft: await made("/api/articles?status=draft", article()),
      tag: await made("/api/tags", tag()),
    };
    await app.database.rows("insert into left_out values ($1, $2)", [operation, status === "published"]);
    return { app, there };
  };

  test.each(Object.keys(requests))("%s is refused where a trigger leaves out the row", async (name) => {
    const [left, work] = requests[name] ?? [];
    if (!left) throw new Error(`no request ${name}`);
    const { app, there } = await prepare(left);
    const before = await app.stored();
    expect(await work?.(app, there)).toMatchObject({ status: 400, body: refusal });
    expect(await app.stored()).toEqual(before);
  });

  test.each(Object.keys(calls))("%s is refused where a trigger leaves out rows", async (name) => {
    const [left, work] = calls[name] ?? [];
    if (!left) throw new Error(`no call ${name}`);
    const { app, there } = await prepare(left);
    const before = await app.stored();
    await expect(work?.(app, there)).rejects.toThrow(MESSAGE);
    expect(await app.stored()).toEqual(before);
  });

  test("a mutation is refused in the same way", async () => {
    const { app } = await prepare(["INSERT", "published"]);
    const before = await app.stored();
    const { title, slug } = article();
    const { body } = await app.query(
      `mutation { createArticle(data: { title: "${title}", slug: "${slug}" }) { documentId } }`,
    );
    expect(body).toMatchObject({
      data: { createArticle: null },
      errors: [{ message: MESSAGE, extensions: { code: "BAD_USER_INPUT", error: { name: "ValidationError" } } }],
    });
    expect(await app.stored()).toEqual(before);
  });
});
