/** Several migrations are undone at once: all or none, and whatever stands in the way is named before that. */
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { migrateDown } from "../../../runtime/database/migrations/migrator.ts";
import { branchProject } from "../../support/branch.ts";
import { component, schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});

const text = { type: "string" };
const state = (...values: readonly string[]) => ({ type: "enumeration", enum: values });
const seos = { type: "component", component: "shared.seo", repeatable: true };

/** One migration each: a rename, batches before the transaction, indexes after it. */
const steps = [
  [
    { title: text, state: state("news"), size: { type: "integer" }, code: { ...text, unique: true }, seos },
    { label: text },
  ],
  [{ state: state("news", "rare") }, {}],
  [{}, { label: undefined, caption: { ...text, renamedFrom: "label" }, mood: state("good") }],
  [{}, { mood: state("good", "bad") }],
  [{ title: undefined, headline: { ...text, renamedFrom: "title" } }, {}],
  [{ size: text, code: text, extra: text }, {}],
] as const;

const RENAMED = `change them first, or say with "renamedValues" what they are called now`;

test("what stands in the way of any of them is named, and nothing is undone", async () => {
  let [attributes, fields]: [object, object] = [{}, {}];
  for (const [index, [changed, changedFields]] of steps.entries()) {
    [attributes, fields] = [
      { ...attributes, ...changed },
      { ...fields, ...changedFields },
    ];
    const files = { "page/schema.json": schema("page", attributes), "components/shared/seo.json": component(fields) };
    await project.change(files, { name: `step_${index}` });
    await project.migrate();
  }
  const names = project.names();
  const [first = "", second = "", , fourth = "", , sixth = ""] = names;
  await project.database
    .script(`insert into documents select 'd' || n, 'api::page.page' from generate_series(1, 4) as n;
    insert into pages (document_id, created_at, updated_at, published_at, headline, state, size, code, seos)
    select 'd' || n, now(), now(), now(), 't' || n, case when n > 2 then 'rare' else 'news' end,
      case when n = 2 then 'many' else n::text end, 'same', '[{"id": 1, "caption": "c", "mood": "bad"}]'
    from generate_series(1, 4) as n`);
  const stops = [
    `${sixth} stops at 1 value of pages.size unreadable as integer: change them first`,
    `${sixth} stops at 1 value that stands twice or more in pages, where pages_code_unique allows each once: change all but one of each first`,
    `${fourth} stops at 4 values bad of shared.seo.mood: ${RENAMED}`,
    `${second} stops at 2 values rare of pages.state: ${RENAMED}`,
  ];
  printed.length = 0;
  await project.down({ to: first, dryRun: true });
  const counted = printed
    .join("")
    .split("\n")
    .filter((line) => / (?:stops at|loses) /.test(line));
  expect(counted.filter((line) => line.includes(" stops at "))).toEqual(stops.map((line) => `-- ${line}`));
  // The field goes with the third step, whose values were made by then.
  expect(counted.filter((line) => line.includes(" loses "))).toEqual([
    `-- ${names[2]} loses 4 values of shared.seo.mood`,
  ]);
  await expect(project.down({ to: first })).rejects.toThrow(
    ["undoing this would stop at content; nothing was changed:", ...stops.map((line) => `  ${line}`)].join("\n"),
  );
  expect(await project.database.rows("select name from galley_migrations order by position")).toEqual(
    names.map((name) => [name]),
  );
});

test("a step that fails takes the others with it, and all happen where none does", async () => {
  const folder = project.file("", "");
  const [first = ""] = project.names();
  await project.database.script(
    `update pages set size = '1', code = 'c' || id, seos = replace(seos::text, 'bad', 'good')::json`,
  );
  // Nobody counts here: the second step is the last one to be undone.
  await expect(migrateDown(project.database, folder, { to: first })).rejects.toThrow(/"rare".*Nothing was undone\.$/);
  const [before] = await project.database.rows("select string_agg(headline, ',' order by id), count(code) from pages");
  expect(before?.map(String)).toEqual(["t1,t2,t3,t4", "4"]);
  await project.database.script("update pages set state = 'news'");
  await project.down({ to: first });
  const [after] = await project.database.rows(
    "select string_agg(title || size, ',' order by id), min(seos #>> '{0,label}') from pages",
  );
  expect(after).toEqual(["t11,t21,t31,t41", "c"]);
  await project.migrate();
  expect(printed.join("")).toContain("5 applied");
});
