/** How many SQL statements a write takes: a number that neither links nor entries of components change. */
import { expect, test } from "vitest";
import application from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { authApp, textAt } from "../../support/auth-app.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { secrets } from "../../support/services.ts";

const recorded = recording(await freshDatabase("postgres"));
let [transactions, early] = [0, 0];
const database: Database = {
  ...recorded.database,
  transaction: (work) => {
    transactions += 1;
    return recorded.database.transaction((session) =>
      work({
        ...session,
        last(send) {
          early += 1;
          return session.last(send);
        },
      }),
    );
  },
};
await migrate(database, "generated/migrations");
const app = await authApp({ database, application });
const token = await createApiToken(database, secrets.tokenSalt, {
  name: "full",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});

const created = async (path: string, data: object): Promise<string> =>
  textAt((await app.send("POST", path, { token, body: { data } })).body, "data.documentId");

const author = await created("/api/authors", { name: "Somebody", slug: "somebody" });
const tags: string[] = [];
for (let number = 0; number < 20; number += 1) {
  tags.push(await created("/api/tags", { name: `Tag ${number}`, slug: `tag-${number}` }));
}

/** The statements of a request, without those that look for the token and those that fetch ids now and then. */
const statementsOf = async (method: string, path: string, data: object): Promise<readonly string[]> => {
  recorded.statements.length = 0;
  const { status } = await app.send(method, path, { token, body: { data } });
  expect(status).toBeLessThan(300);
  return recorded.statements.filter((statement) => !/api_tokens|nextval/.test(statement));
};

const content = (count: number, slug: string) => ({
  title: "Counted",
  slug,
  author,
  tags: tags.slice(0, count),
  sections: Array.from({ length: count }, (_, number) => ({ __component: "blocks.quote", text: `Quote ${number}` })),
  seo: { metaTitle: "Counted" },
});

const both = expect.stringMatching(/^with wanted as .*(insert into|update) "articles" .*wanted_0/);
const answer = expect.stringMatching(/^select .* from "articles" .* limit/);

test.each([1, 20])("creating and publishing a document with %i links and entries takes three", async (count) => {
  transactions = 0;
  const statements = await statementsOf("POST", "/api/articles", content(count, `created-${count}`));
  expect(statements).toEqual([
    expect.stringMatching(/^select .* from "authors" .* union all .* from "tags"/),
    both,
    answer,
  ]);
  expect(transactions).toBe(1);
});

test.each([1, 20])("changing and publishing a document with %i links and entries takes five", async (count) => {
  const document = await created("/api/articles", content(2, `changed-${count}`));
  const statements = await statementsOf("PUT", `/api/articles/${document}`, content(count, `changed-${count}`));
  expect(statements).toEqual([
    expect.stringMatching(/^select .* from "documents" .* for no key update$/),
    expect.stringMatching(/^select .* from "articles" .* for no key update$/),
    expect.stringMatching(/^select .* from "authors" .* union all .* from "tags"/),
    both,
    answer,
  ]);
});

/** How many commits of a request were sent along with what they commit. */
const earlyCommits = async (method: string, path: string, data?: object): Promise<number> => {
  early = 0;
  const { status } = await app.send(method, path, { token, ...(data ? { body: { data } } : {}) });
  expect(status).toBeLessThan(300);
  return early;
};

test("the commit of a write is sent with it, unless there is more to read", async () => {
  expect(await earlyCommits("POST", "/api/articles?populate=tags", content(2, "early"))).toBe(0);
  const document = await created("/api/articles", content(2, "earlier"));
  expect(await earlyCommits("PUT", `/api/articles/${document}`, { title: "Changed" })).toBe(1);
  expect(await earlyCommits("PUT", `/api/articles/${document}?populate=tags`, { title: "Populated" })).toBe(0);
  expect(await earlyCommits("POST", `/api/articles/${document}/actions/unpublish`)).toBe(1);
  expect(await earlyCommits("POST", `/api/articles/${document}/actions/publish`)).toBe(1);
  expect(await earlyCommits("DELETE", `/api/articles/${document}`)).toBe(1);
});

test("a change that is repeated is planned anew only the first times, however many links it has", async () => {
  const document = await created("/api/articles", content(2, "planned"));
  for (let time = 0; time < 12; time += 1)
    await statementsOf("PUT", `/api/articles/${document}`, content(1 + (time % 3), "planned"));
  const plans = await recorded.database.rows(
    "select statement, custom_plans::int from pg_prepared_statements where statement like any($1::text[]) and generic_plans + custom_plans > 9",
    [['with wanted as %update "articles"%', 'select "articles"%for no key update']],
  );
  expect(plans.length).toBeGreaterThan(1);
  // PostgreSQL compares with the plan for any values after five.
  for (const [statement, count] of plans) expect({ statement, count }).toEqual({ statement, count: 5 });
});
