/** Content that comes over by `cms import` answers as it did where it comes from; each difference has its reason here. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { z } from "zod";
import { atEndOfTest, cms, cmsOutput, repository, serve } from "../support/cms.ts";
import { freshTables } from "../support/import-project.ts";
import { compareExchange, type Difference, type Exchange, exchangesOf, linesOf } from "../support/recorded-answers.ts";

const folder = path.join(repository, "test/exports");

interface Reason {
  readonly why: string;
  readonly holds: (difference: Difference, exchange: Exchange) => boolean;
}

const reasons: readonly Reason[] = [
  {
    why: "the other side of a relation to any type shows what points at it; there it is empty, unless the link was made from it",
    holds: ({ at, theirs }, { path: asked }) =>
      asked.startsWith("/api/articles/") && at.startsWith("data.comments[") && theirs === undefined,
  },
  {
    why: "a relation to any type leads to a document, in the locale and state that are asked for; there it leads to one version",
    holds: ({ at }, { path: asked }) =>
      asked.startsWith("/api/comments") && /^data\.(?:mentions\[\d+\]|subject)/.test(at),
  },
  {
    why: "documents of types without locales have no `locale`; there it is null in lists of the other side of such a relation",
    holds: ({ at, theirs, ours }) => /^data\.remarks\[\d+\]\.locale$/.test(at) && theirs === null && ours === undefined,
  },
  {
    why: "what uses a file is its published versions, in the order of types and ids; there drafts too, in the order of links",
    holds: ({ at }, { path: asked }) => asked.startsWith("/api/upload/files") && /^\[\d+\]\.related\b/.test(at),
  },
  {
    why: "a list without a sort is in the order of ids; there it is in the order of the last changes",
    holds: (_, { path: asked }) => asked.startsWith("/api/upload/files") && !asked.includes("sort="),
  },
  {
    why: "drafts have actions of their own",
    holds: ({ at, theirs }, { path: asked }) =>
      asked.startsWith("/api/users-permissions/") &&
      /\.(?:publish|unpublish|discardDraft|readDraft)$/.test(at) &&
      theirs === undefined,
  },
  {
    why: "locales come from the configuration, with ids and dates of their own",
    holds: ({ at }, { path: asked }) => asked.startsWith("/api/i18n/locales") && /\.(?:id|documentId|\w+At)$/.test(at),
  },
];

const config = `import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "fr", "de"] },
  rest: { strictParams: false, drafts: "find" },
  auth: { jwt: { mode: "legacy" }, rateLimit: false },
});
`;

const session = z.object({ jwt: z.string(), user: z.object({ username: z.string() }) });

const hidden = z.object({
  uid: z.string(),
  documentId: z.string(),
  locale: z.string().nullish(),
  status: z.string().nullish(),
  values: z.record(z.string(), z.unknown()),
});

const tables: Readonly<Record<string, string>> = {
  "plugin::users-permissions.user": "up_users",
  "api::category.category": "categories",
  "api::global.global": "globals",
  "api::homepage.homepage": "homepages",
  "api::kitchen-sink.kitchen-sink": "kitchen_sinks",
};

const tableOf = (uid: string): string => tables[uid] ?? `${uid.split(".")[1]}s`;
const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What stands at `sections[0].hidden` in a row. */
const valueAt = (row: object, place: string): unknown => {
  const [first = "", ...rest] = place.split(/[.[\]]+/).filter((part) => part !== "");
  return [columnOf(first), ...rest].reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined,
    row,
  );
};

test("each recorded request is answered as it was, but for what has a reason; what is private is equal too", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-equal-"));
  atEndOfTest(() => rm(root, { recursive: true, force: true }));
  await cp(path.join(folder, "content-types"), path.join(root, "content-types"), { recursive: true });
  await writeFile(path.join(root, "cms.config.ts"), config);
  await cmsOutput(root, ["generate"]);
  const database = await freshTables(root, atEndOfTest);
  expect((await cms(root, ["import", path.join(folder, "strapi5.tar.gz")])).stderr).toBe("");
  const token = await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"]);
  const { url } = await serve(root);

  const exchanges = exchangesOf(path.join(folder, "answers5.jsonl.gz"));
  const tokens = new Map<string, string>([["full", token]]);
  const used = new Map<string, number>();
  const unexplained: object[] = [];
  const compare = async (each: Exchange): Promise<unknown> => {
    const { differences, answer } = await compareExchange(url, each, tokens.get(each.auth));
    const found = new Set<string>();
    for (const difference of differences) {
      const why = reasons.find(({ holds }) => holds(difference, each))?.why;
      if (why === undefined) unexplained.push({ path: each.path, auth: each.auth, ...difference });
      else found.add(why);
    }
    for (const why of found) used.set(why, (used.get(why) ?? 0) + 1);
    return answer;
  };
  // Who logs in is asked for first: what they may see comes after it.
  for (const each of exchanges.filter(({ method }) => method === "POST")) {
    const { success, data } = session.safeParse(await compare(each));
    if (success) tokens.set(`user:${data.user.username}`, data.jwt);
  }
  for (const each of exchanges.filter(({ method }) => method === "GET")) await compare(each);
  expect(unexplained).toEqual([]);
  // A reason for which there is no difference any more goes.
  expect([...used.keys()].toSorted()).toEqual(reasons.map(({ why }) => why).toSorted());

  const client = postgres(database, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const rows = new Map<string, readonly Record<string, unknown>[]>();
  for (const { uid, documentId, locale, status, values } of linesOf(path.join(folder, "private5.jsonl.gz"), hidden)) {
    if (uid.startsWith("plugin::upload.")) continue;
    const table = tableOf(uid);
    const all = rows.get(table) ?? [...(await client.unsafe(`select * from "${table}"`))];
    rows.set(table, all);
    const row = all.find(
      (each) =>
        each["document_id"] === documentId &&
        (each["locale"] ?? null) === (locale ?? null) &&
        (status === undefined || status === null || (each["published_at"] === null) === (status === "draft")),
    );
    for (const [place, value] of Object.entries(values)) {
      // Relations are in tables of their own, and in what was asked for above.
      if (place === "role" || place === "secretTags") continue;
      const ours = row && valueAt(row, place);
      expect({ uid, documentId, place, value: ours ?? null }).toEqual({ uid, documentId, place, value: value ?? null });
    }
  }
});
