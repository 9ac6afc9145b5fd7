/** Constraints and triggers that a project has added to the database refuse writes as validators do. */
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { textAt } from "../../support/auth-app.ts";
import { bothDatabases, type DatabaseKind } from "../../support/database.ts";
import { guarded } from "./guarded-world.ts";

const open = guarded(`
  alter table articles add constraint short_excerpt check (length(excerpt) < 20);
  create unique index title_of_author on articles (title, featured) where published_at is not null;
  alter table articles add constraint only_one exclude using hash (excerpt with =)
    where (published_at is not null and excerpt like 'only%');
  alter table articles alter column featured set not null;
  create table allowed (excerpt text primary key);
  alter table articles add column kind text generated always as (nullif(split_part(excerpt, ':', 2), '')) stored;
  alter table articles add constraint known_kind foreign key (kind) references allowed;
  create table reviews (article text references documents (document_id));
  create table visits (tag text unique deferrable initially deferred);
  create function guard() returns trigger language plpgsql as $$
  begin
    case new.name
      when 'raised' then raise exception 'The secret is %', new.slug;
      when 'named' then
        raise exception 'The secret is %', new.slug using errcode = 'check_violation', constraint = 'decent_names';
      when 'unranked' then
        raise exception 'The secret is %', new.slug using errcode = 'not_null_violation', column = 'rank';
      else
    end case;
    return new;
  end $$;
  create trigger guard before insert or update on tags for each row execute function guard();
  create function repeat() returns trigger language plpgsql as $$
  begin
    insert into visits values ('secret'), ('secret');
    return new;
  end $$;
  create trigger repeat after insert on tags for each row when (new.name = 'late') execute function repeat();
`);

const refusal = (message: string, constraint?: string, path: readonly string[] = []) => ({
  data: null,
  error: {
    status: 400,
    name: "ValidationError",
    message,
    details: {
      errors: [{ path, message, name: "ValidationError" }],
      ...(constraint === undefined ? {} : { constraint }),
    },
  },
});

const named = (constraint: string) =>
  refusal(`The constraint ${constraint} of the database does not allow this`, constraint);

let number = 0;
const article = (more: object) => {
  number += 1;
  return { title: `Title ${number}`, slug: `slug-${number}`, ...more };
};

const long = { excerpt: "secret and too long to be stored" };

describe.each(bothDatabases)("on %s", (kind: DatabaseKind) => {
  const created = async (path: string, data: object): Promise<string> => {
    const { ask } = await open(kind);
    return textAt((await ask("POST", path, data)).body, "data.documentId");
  };

  /** Sends a write that is refused and changes nothing. */
  const refused = async (method: string, path: string, data?: object) => {
    const { ask, stored } = await open(kind);
    const before = await stored();
    const { status, body, text } = await ask(method, path, data);
    expect(status).toBe(400);
    expect(text).not.toContain("secret");
    expect(await stored()).toEqual(before);
    return body;
  };

  test("a check constraint is named, for drafts and whatever is published", async () => {
    expect(await refused("POST", "/api/articles?status=draft", article(long))).toEqual(named("short_excerpt"));
    expect(await refused("POST", "/api/articles", article(long))).toEqual(named("short_excerpt"));
    const document = await created("/api/articles", article({}));
    expect(await refused("PUT", `/api/articles/${document}?populate=tags`, long)).toEqual(named("short_excerpt"));
  });

  test("a unique index over several columns is named", async () => {
    await created("/api/articles", article({ title: "Twice" }));
    expect(await refused("POST", "/api/articles", article({ title: "Twice" }))).toEqual(named("title_of_author"));
    const draft = await created("/api/articles?status=draft", article({ title: "Twice" }));
    expect(await refused("POST", `/api/articles/${draft}/actions/publish`)).toEqual(named("title_of_author"));
  });

  test("an exclusion constraint is named", async () => {
    await created("/api/articles", article({ excerpt: "only one" }));
    expect(await refused("POST", "/api/articles", article({ excerpt: "only one" }))).toEqual(named("only_one"));
  });

  test("an attribute that the database requires is named", async () => {
    const answer = refusal("featured cannot be null.", undefined, ["featured"]);
    expect(await refused("POST", "/api/articles?status=draft", article({ featured: null }))).toEqual(answer);
  });

  test("a foreign key is named, of what is written and of what leads to a deleted document", async () => {
    expect(await refused("POST", "/api/articles", article({ excerpt: "a:secret" }))).toEqual(named("known_kind"));
    const { ask, database } = await open(kind);
    const document = await created("/api/articles", article({}));
    await database.rows("insert into reviews values ($1)", [document]);
    expect(await refused("DELETE", `/api/articles/${document}`)).toEqual(named("reviews_article_fkey"));
    await database.rows("delete from reviews");
    expect((await ask("DELETE", `/api/articles/${document}`)).status).toBe(204);
  });

  test("a trigger that raises an exception is told without its text, which the log has", async () => {
    const message = "A trigger of the database does not allow this";
    expect(await refused("POST", "/api/tags", { name: "raised", slug: "secret-1" })).toEqual(refusal(message));
    const { logged } = await open(kind);
    expect(logged()).toContain("The secret is secret-1");
  });

  test("a trigger may name a constraint or a column", async () => {
    expect(await refused("POST", "/api/tags", { name: "named", slug: "secret-2" })).toEqual(named("decent_names"));
    const unranked = refusal("rank cannot be null.");
    expect(await refused("POST", "/api/tags", { name: "unranked", slug: "secret-3" })).toEqual(unranked);
  });

  test("what is refused when the transaction is committed is refused in the same way", async () => {
    const data = { name: "late", slug: "late" };
    expect(await refused("POST", "/api/tags", data)).toEqual(named("visits_tag_key"));
    const { services, stored } = await open(kind);
    const before = await stored();
    const work = services.transaction(({ documents }) => documents("api::tag.tag").create({ data }));
    await expect(work).rejects.toMatchObject(named("visits_tag_key").error);
    expect(await stored()).toEqual(before);
  });

  test("writes of many documents are refused in the same way", async () => {
    const { services, stored } = await open(kind);
    const articles = services.documents("api::article.article");
    const tag = await created("/api/tags", { name: `Tag ${kind}`, slug: `tag-${kind}` });
    await created("/api/articles", article({}));
    const before = await stored();
    const expected = named("short_excerpt").error;
    const plain = articles.createMany({ data: [article({}), article(long)] });
    await expect(plain).rejects.toMatchObject(expected);
    const linked = articles.createMany({ data: [article({ tags: [tag] }), article(long)] });
    await expect(linked).rejects.toMatchObject(expected);
    await expect(articles.updateMany({ filters: {}, data: long })).rejects.toMatchObject(expected);
    expect(await stored()).toEqual(before);
  });

  test("a mutation is refused in the same way", async () => {
    const { query } = await open(kind);
    const { body, text } = await query(
      `mutation { createArticle(data: { title: "A", slug: "a", excerpt: "${long.excerpt}" }) { documentId } }`,
    );
    const { name, message, details } = named("short_excerpt").error;
    expect(body).toMatchObject({
      errors: [{ message, extensions: { code: "BAD_USER_INPUT", error: { name, message, details } } }],
    });
    expect(text).not.toContain("secret");
  });

  test("code that sends statements of its own gets their errors as they are", async () => {
    const { services } = await open(kind);
    const work = services.transaction(({ db }) => db.execute(sql`insert into reviews values ('nobody')`));
    await expect(work).rejects.toMatchObject({ cause: { code: "23503" } });
  });
});
