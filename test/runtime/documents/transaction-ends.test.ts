/** How transactions of the application's code end: with writes under way, by a commit that fails, or not at all. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Extension } from "../../../runtime/app/extension.ts";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import type { HookServices } from "../../../runtime/documents/hooks.ts";
import { bothDatabases, type DatabaseKind, freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";
import { SOON } from "../../support/soon.ts";
import { createWorld } from "./world.ts";

type Posts = ReturnType<ReturnType<typeof anyDocuments>>;

/** Posts, and what hooks were told after writes of them. */
const open = async (kind: DatabaseKind) => {
  const told: unknown[] = [];
  const extension: Extension = { hooks: { afterCreate: ({ document }) => void told.push(document["title"]) } };
  const { posts, services } = await createWorld(await freshDatabase(kind, onTestFinished), extension);
  const titles = async () => (await posts.find({ status: "draft", sort: "title" })).map(({ title }) => title);
  return { posts, services, told, titles };
};

const postsOf = ({ documents }: Pick<HookServices, "documents">): Posts =>
  (Object(documents) as ReturnType<typeof anyDocuments>)("api::post.post");

const create = (tools: Pick<HookServices, "documents">, title: string) => postsOf(tools).create({ data: { title } });

const createAll = (tools: Pick<HookServices, "documents">, names: readonly string[]) =>
  Promise.all(names.map((title) => create(tools, title)));

test.each(bothDatabases)(
  "writes that nobody waits for are of the transaction, and hooks follow them, on %s",
  async (kind) => {
    const { services, told, titles } = await open(kind);
    const late: unknown[] = [];
    await services.transaction(async (tools) => {
      for (const title of ["a", "b"]) create(tools, title).catch((error: unknown) => late.push(error));
      await tools.services.transaction(async (inner) => {
        create(inner, "c").catch((error: unknown) => late.push(error));
        await inner.db.execute("select 1");
      });
    });
    await vi.waitFor(() => expect(told).toHaveLength(3), SOON);
    expect(await titles()).toEqual(["a", "b", "c"]);
    expect(late).toEqual([]);
  },
);

test.each(bothDatabases)(
  "writes that stand behind one that fails are undone with it, whichever transaction it is of, on %s",
  async (kind) => {
    const { posts, services, told, titles } = await open(kind);
    await posts.create({ data: { title: "taken" } });
    told.length = 0;
    await expect(services.transaction((tools) => createAll(tools, ["a", "taken", "b", "c"]))).rejects.toThrow("unique");
    await services.transaction(async (tools) => {
      await create(tools, "kept");
      const nested = tools.services.transaction((inner) => createAll(inner, ["a", "taken", "b", "c"]));
      await expect(nested).rejects.toThrow("unique");
    });
    expect(await titles()).toEqual(["kept", "taken"]);
    expect(told).toEqual(["kept"]);
    expect(await services.database.rows("select count(*)::int from documents")).toEqual([[2]]);
  },
);

test.each(bothDatabases)("what a commit refuses is undone, and no hook follows it, on %s", async (kind) => {
  const { posts, services, told, titles } = await open(kind);
  await services.database.script(
    "alter table posts add constraint rated unique (rating) deferrable initially deferred",
  );
  const data = { title: "a", rating: 1 };
  await posts.create({ data, status: "draft" });
  told.length = 0;
  await expect(posts.create({ data, status: "draft" })).rejects.toThrow("rated");
  const together = services.transaction((tools) => postsOf(tools).create({ data, status: "draft" }));
  await expect(together).rejects.toThrow("rated");
  expect(await titles()).toEqual(["a"]);
  expect(told).toEqual([]);
});

test.each(bothDatabases)("a commit that others stand in the way of is tried again, on %s", async (kind) => {
  const { posts, services, told, titles } = await open(kind);
  await services.database.script(
    `create sequence tries;
     create function refuse() returns trigger language plpgsql as
       $$ begin if nextval('tries') % 3 > 0 then raise exception 'again' using errcode = '40001'; end if; return null; end $$;
     create constraint trigger refuse after insert on posts deferrable initially deferred
       for each row execute function refuse();`,
  );
  await posts.create({ data: { title: "a" }, status: "draft" });
  let runs = 0;
  await services.transaction(async (tools) => {
    runs += 1;
    await postsOf(tools).create({ data: { title: "b" }, status: "draft" });
  });
  expect(runs).toBe(3);
  expect(await titles()).toEqual(["a", "b"]);
  expect(told).toEqual(["a", "b"]);
});

test("what was not committed when the connection was lost is not there, and no hook follows it", async () => {
  const { posts, services, told, titles } = await open("postgres");
  await services.database.script(
    `create function leave() returns trigger language plpgsql as
       $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$;
     create constraint trigger leave after insert on posts deferrable initially deferred
       for each row execute function leave();`,
  );
  await expect(posts.create({ data: { title: "a" } })).rejects.toThrow(ServiceUnavailableError);
  await expect(services.transaction((tools) => create(tools, "b"))).rejects.toThrow(ServiceUnavailableError);
  await services.database.script("drop trigger leave on posts");
  await posts.create({ data: { title: "c" } });
  expect(await titles()).toEqual(["c"]);
  expect(told).toEqual(["c"]);
});

test("a transaction whose code stands still is given up, and takes nothing more", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const services = await testServices();
  let { db } = services;
  const endless = services.transaction(async (tools) => {
    db = tools.db;
    await db.execute("select 1");
    await new Promise(() => {});
  });
  const given = expect(endless).rejects.toThrow("given up");
  await vi.advanceTimersByTimeAsync(60_000);
  await given;
  await expect(db.execute("select 1")).rejects.toMatchObject({
    cause: { message: expect.stringContaining("The transaction is over") },
  });
});
