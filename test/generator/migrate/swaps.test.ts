/** Attributes, fields and values that trade places in one change: `a` comes from `b`, and `b` from `a`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

const text = { type: "string" };
const number = { type: "integer" };
const box = { type: "component", component: "shared.box" };
const other = { type: "component", component: "shared.other" };
const state = { type: "enumeration", enum: ["new", "old", "odd"] };
const link = (relation: string) => ({ type: "relation", relation, target: "api::tag.tag" });
const media = { type: "media", multiple: true };

/** Two attributes of each kind, and their definitions and `renamedFrom` when they have traded places. */
const pairs: readonly (readonly [a: string, is: object, b: string, is: object])[] = [
  ["head", text, "foot", text],
  ["size", number, "name", text],
  ["slug", { ...text, unique: true }, "code", { ...text, unique: true }],
  ["one", link("oneToOne"), "two", link("oneToOne")],
  ["many", link("oneToMany"), "more", link("oneToMany")],
  ["files", media, "images", media],
  ["boxA", box, "boxB", box],
  ["single", other, "list", { ...other, repeatable: true }],
];
const attributes = (isSwapped: boolean): object =>
  Object.fromEntries(
    pairs.flatMap(([a, first, b, second]) =>
      isSwapped
        ? [
            [a, { ...second, renamedFrom: b }],
            [b, { ...first, renamedFrom: a }],
          ]
        : [
            [a, first],
            [b, second],
          ],
    ),
  );
const files = (isSwapped: boolean, told = isSwapped) => {
  const renamed = (from: string) => (told ? { renamedFrom: from } : {});
  const values = told ? { renamedValues: { new: "old", old: "new" } } : {};
  const zones = {
    zone: { type: "dynamiczone", components: ["shared.box", "shared.other"] },
    state: { ...state, ...values },
  };
  return {
    "page/schema.json": schema("page", { ...attributes(isSwapped), ...zones }),
    "tag/schema.json": schema("tag", { label: text }),
    "components/shared/box.json": component({
      label: { ...text, ...renamed("note") },
      note: { ...text, ...renamed("label") },
      state: { ...state, ...values },
    }),
    "components/shared/other.json": component(
      isSwapped ? { a: { ...text, ...renamed("b") }, b: { ...number, ...renamed("a") } } : { a: number, b: text },
    ),
  };
};

const entry = (n: number) => ({ id: n, label: `label ${n}`, note: `note ${n}`, state: n % 2 === 0 ? "new" : "old" });
const otherEntry = (n: number) => ({ id: n, a: n, b: `b ${n}` });
const json = (value: unknown): string => JSON.stringify(value);
const insert = (lab: MigrationLab) =>
  lab.run(`insert into documents values ('p1', 'api::page.page'), ('t1', 'api::tag.tag'), ('t2', 'api::tag.tag');
    insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
      select 'f' || n, 'a', 'a' || n, 'image/png', 1, '/a', 'local', now(), now() from generate_series(1, 2) as n;
    insert into pages (document_id, created_at, updated_at, published_at, head, foot, size, name, slug, code, state,
        one_document_id, two_document_id, box_a, box_b, single, list, zone) values
      ('p1', now(), now(), now(), 'head', 'foot', 7, 'name', 'slug', 'code', 'new', 't1', 't2',
        '${json(entry(1))}', '${json(entry(2))}', '${json(otherEntry(3))}', '${json([otherEntry(4), otherEntry(5)])}',
        '${json([
          { __component: "shared.box", ...entry(6) },
          { __component: "shared.other", ...otherEntry(7) },
        ])}');
    insert into pages_many (version_id, document_id, position) select id, 't1', 1 from pages;
    insert into pages_more (version_id, document_id, position) select id, 't2', 1 from pages;
    insert into pages_files (version_id, file_id, position) select id, 1, 1 from pages;
    insert into pages_images (version_id, file_id, position) select id, 2, 1 from pages`);

const content = async (lab: MigrationLab) => {
  const [row = []] =
    await lab.rows(`select concat_ws(' ', head, foot, size, name, slug, code, state, one_document_id, two_document_id,
      (select document_id from pages_many), (select document_id from pages_more),
      (select file_id from pages_files), (select file_id from pages_images)), box_a, box_b, single, list, zone from pages`);
  return row.map((value) => (typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value));
};

const traded = ({ label, note, state: was, ...rest }: ReturnType<typeof entry>) => ({
  ...rest,
  label: note,
  note: label,
  state: was === "new" ? "old" : "new",
});
const otherTraded = ({ a, b, ...rest }: ReturnType<typeof otherEntry>) => ({ ...rest, a: b, b: a });
const before = [
  "head foot 7 name slug code new t1 t2 t1 t2 1 2",
  entry(1),
  entry(2),
  otherEntry(3),
  [otherEntry(4), otherEntry(5)],
  [
    { __component: "shared.box", ...entry(6) },
    { __component: "shared.other", ...otherEntry(7) },
  ],
];
const after = [
  "foot head name 7 code slug old t2 t1 t2 t1 2 1",
  traded(entry(2)),
  traded(entry(1)),
  [otherTraded(otherEntry(4)), otherTraded(otherEntry(5))],
  otherTraded(otherEntry(3)),
  [
    { __component: "shared.box", ...traded(entry(6)) },
    { __component: "shared.other", ...otherTraded(otherEntry(7)) },
  ],
];

test.each(inTurn())("attributes, fields and values of enumerations trade places, once, on %s", async (kind) => {
  const lab = await migrationLab(databases[kind], onTestFinished);
  await lab.change(files(false));
  await lab.up();
  await insert(lab);
  const name = String(await lab.change(files(true)));
  for (const file of ["up.sql", "down.sql"])
    expect(lossesOf(readFileSync(path.join(lab.migrations, name, file), "utf8"))).toEqual([]);
  for (const _ of [1, 2]) {
    await lab.up();
    expect(await content(lab)).toEqual(after);
    await lab.down();
    expect(await content(lab)).toEqual(before);
  }
  await lab.up();
  // What is said stays said, and has been done.
  expect(await lab.change(files(true))).toBe(undefined);
  // Said no more, it may be said again.
  expect(await lab.change(files(true, false))).toBeDefined();
  await lab.up();
  expect(await content(lab)).toEqual(after);
});
