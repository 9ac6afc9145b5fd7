/** Content that comes over by `cms import` answers as it did where it comes from; each difference has its reason here. */
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { z } from "zod";
import { atEndOfTest, cms, cmsOutput, repository, serve } from "../support/cms.ts";
import { compareAll, type Reason } from "../support/equal-answers.ts";
import { freshTables } from "../support/import-project.ts";
import { exchangesOf, linesOf } from "../support/recorded-answers.ts";

const folder = path.join(repository, "test/exports");

const reasons: readonly Reason[] = [
  {
    why: "a relation to one document of any type leads to the version that is asked for; there it leads to one version",
    holds: ({ at }, { path: asked }) => asked.startsWith("/api/comments") && at.startsWith("data.subject"),
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

const configFor = (rest: string): string => `import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "fr", "de"] },
  rest: { strictParams: false, drafts: "find"${rest} },
  auth: { jwt: { mode: "legacy" }, rateLimit: false },
});
`;

/** A project with the content of an export, and a server for it. */
const importedFrom = async (exported: string, archive: string, rest = "") => {
  const root = await mkdtemp(path.join(tmpdir(), "galley-equal-"));
  atEndOfTest(() => rm(root, { recursive: true, force: true }));
  await cp(path.join(exported, "content-types"), path.join(root, "content-types"), { recursive: true });
  await writeFile(path.join(root, "cms.config.ts"), configFor(rest));
  await cmsOutput(root, ["generate"]);
  const database = await freshTables(root, atEndOfTest);
  expect((await cms(root, ["import", path.join(exported, archive)])).stderr).toBe("");
  const token = await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"]);
  const { url } = await serve(root);
  return { url, token, database };
};

const hidden = z.object({
  uid: z.string(),
  /** Of version 5. */
  documentId: z.string().optional(),
  /** Of version 4. */
  id: z.number().optional(),
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

const RELATIONS = new Set(["role", "secretTags", "subject"]);

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

/** The folder of a file: its name, and how deep it is. */
const inFolder = z
  .object({ folderPath: z.string(), folder: z.object({ name: z.string() }).nullish() })
  .transform(({ folderPath, folder: found }) => ({
    name: found?.name ?? null,
    depth: folderPath.split("/").filter((part) => part !== "").length,
  }));

const folderOf = (path: unknown): { readonly name: string | null; readonly depth: number } => {
  const names = typeof path === "string" ? path.split("/").slice(1) : [];
  return { name: names.at(-1)?.replaceAll("%2F", "/").replaceAll("%25", "%") ?? null, depth: names.length };
};

/** Values that REST never shows, in the rows of the database. */
const comparePrivate = async (database: string, file: string): Promise<void> => {
  const client = postgres(database, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const rows = new Map<string, readonly Record<string, unknown>[]>();
  for (const { uid, documentId, id, locale, status, values } of linesOf(file, hidden)) {
    if (uid === "plugin::upload.folder") continue;
    const table = tableOf(uid);
    const all = rows.get(table) ?? [...(await client.unsafe(`select * from "${table}"`))];
    rows.set(table, all);
    const row = all.find((each) =>
      documentId === undefined
        ? each["id"] === id
        : each["document_id"] === documentId &&
          (each["locale"] ?? null) === (locale ?? null) &&
          (status === undefined || status === null || (each["published_at"] === null) === (status === "draft")),
    );
    if (uid === "plugin::upload.file") {
      expect({ uid, documentId, id, folder: folderOf(row?.["folder_path"]) }).toEqual({
        uid,
        documentId,
        id,
        folder: inFolder.parse(values),
      });
      continue;
    }
    for (const [place, value] of Object.entries(values)) {
      // Relations are in tables of their own, and in what was asked for above.
      if (RELATIONS.has(place)) continue;
      const ours = (row && valueAt(row, place)) ?? null;
      expect({ uid, documentId, id, place, value: ours }).toEqual({ uid, documentId, id, place, value: value ?? null });
    }
  }
};

test("each recorded request is answered as it was, but for what has a reason; what is private is equal too", async () => {
  const { url, token, database } = await importedFrom(folder, "strapi5.tar.gz");
  const exchanges = exchangesOf(path.join(folder, "answers5.jsonl.gz"));
  const { unexplained, used, equal } = await compareAll(url, exchanges, token, reasons);
  expect(unexplained).toEqual([]);
  expect(equal).toBeGreaterThanOrEqual(850);
  // A reason for which there is no difference any more goes.
  expect([...used].toSorted()).toEqual(reasons.map(({ why }) => why).toSorted());

  await comparePrivate(database, path.join(folder, "private5.jsonl.gz"));
});

const severalPages = z.object({ meta: z.object({ pagination: z.object({ pageCount: z.number().min(2) }) }) });

const reasonsOfFour: readonly Reason[] = [
  {
    why: "a page of a list without a sort is in the order of numbers; there it was in that of the last changes",
    holds: ({ at }, { path: asked, body }) =>
      at.startsWith("data[") && !asked.includes("sort=") && severalPages.safeParse(body).success,
  },
  {
    why: "a relation leads to a document, in the locale that is asked for if it has one; there it led to a row",
    holds: ({ at }) => /\.(?:related|articles)\.data\b/.test(at),
  },
  {
    why: "what uses a file is its published versions, in the order of types and ids; there drafts too, in the order of links",
    holds: ({ at }, { path: asked }) => asked.startsWith("/api/upload/files") && /^\[\d+\]\.related\b/.test(at),
  },
  {
    why: "locales come from the configuration, and are as old as the server",
    holds: ({ at }, { path: asked }) => asked.startsWith("/api/i18n/locales") && /\.(?:id|documentId|\w+At)$/.test(at),
  },
];

test("sites of version 4 are answered as they were, but for what has a reason; what is private is equal too", async () => {
  const exported = path.join(folder, "v4");
  const { url, token, database } = await importedFrom(exported, "strapi4.tar.gz", ', format: "v4"');
  const exchanges = exchangesOf(path.join(exported, "answers4.jsonl.gz"));
  const { unexplained, used, equal } = await compareAll(url, exchanges, token, reasonsOfFour, "by id");
  expect(unexplained).toEqual([]);
  expect([...used].toSorted()).toEqual(reasonsOfFour.map(({ why }) => why).toSorted());
  expect(equal).toBeGreaterThanOrEqual(272);
  await comparePrivate(database, path.join(exported, "private4.jsonl.gz"));
});
