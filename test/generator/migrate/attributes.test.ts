/** Attributes added, removed, renamed and retyped while there is content. */
import { expect, onTestFinished, test } from "vitest";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

/** A value of each scalar type, as SQL and as it comes back. */
const scalars: Readonly<Record<string, readonly [options: object, sql: string, value: string | number | boolean]>> = {
  string: [{}, "'a text'", "a text"],
  text: [{}, "'long'", "long"],
  richtext: [{}, "'# rich'", "# rich"],
  email: [{}, "'a@b.example'", "a@b.example"],
  password: [{}, "'$2b$hash'", "$2b$hash"],
  uid: [{}, "'a-slug'", "a-slug"],
  enumeration: [{ enum: ["news", "opinion"] }, "'news'", "news"],
  integer: [{}, "42", 42],
  biginteger: [{}, "9007199254740993", "9007199254740993"],
  float: [{}, "1.5", 1.5],
  decimal: [{}, "12.30", "12.30"],
  date: [{}, "'2026-01-02'", "2026-01-02"],
  time: [{}, "'10:11:12.500'", "10:11:12.5"],
  datetime: [{}, "'2026-01-02 03:04:05.678'", "2026-01-02 03:04:05.678"],
  timestamp: [{}, "'2026-01-02 03:04:05.678'", "2026-01-02 03:04:05.678"],
  boolean: [{}, "true", true],
  json: [{}, `'{"a": [1]}'`, '{"a": [1]}'],
  blocks: [{}, "'[]'", "[]"],
};

const attributesOf = (prefix: string, more: (type: string) => object = () => ({})) =>
  Object.fromEntries(
    Object.entries(scalars).map(([type, [options]]) => [`${prefix}_${type}`, { type, ...options, ...more(type) }]),
  );
const columns = (prefix: string) =>
  Object.keys(scalars)
    .map((type) => `"${prefix}_${type}"`)
    .join(", ");
const values = Object.values(scalars).map(([, , value]) => value);

const insertVersion = (table: string, columnList: string, sqlValues: string): string => `
  insert into documents (document_id, type) values ('a00000000000000000000001', 'x') on conflict do nothing;
  insert into ${table} (document_id, created_at, updated_at, published_at, ${columnList})
  values ('a00000000000000000000001', now(), now(), now(), ${sqlValues});`;

const file = (name: string) => `${name}/schema.json`;
const thing = (attributes: object) => ({ [file("thing")]: schema("thing", attributes) });
const title = { title: { type: "string" } };

test.each(inTurn())("attributes of every scalar type are added, renamed and removed on %s", async (kind) => {
  const lab = await labOn(kind);
  expect(await lab.change(thing(title))).toMatch(/^\d{14}_initial$/);
  await lab.up();
  await lab.run(insertVersion("things", "title", "'kept'"));

  expect(await lab.change(thing({ ...title, ...attributesOf("old") }))).toMatch(/_add_thing_old_string_and_17_more$/);
  await lab.up();
  const sql = Object.values(scalars).map(([, each]) => each);
  await lab.run(`update things set (${columns("old")}) = row(${sql.join(", ")})`);
  const stored = (prefix: string) => lab.rows(`select title, ${columns(prefix)} from things`);
  expect(await stored("old")).toEqual([["kept", ...values]]);

  await lab.change(thing({ ...title, ...attributesOf("fresh", (type) => ({ renamedFrom: `old_${type}` })) }));
  await lab.up();
  expect(await stored("fresh")).toEqual([["kept", ...values]]);
  await lab.down();
  expect(await stored("old")).toEqual([["kept", ...values]]);
  await lab.up();

  await expect(lab.change(thing(title))).rejects.toThrow("--allow drop:thing.fresh_string");
  await lab.change(
    thing(title),
    Object.keys(scalars).map((type) => `drop:thing.fresh_${type}`),
  );
  await lab.up();
  expect(await lab.rows("select title from things")).toEqual([["kept"]]);
  await lab.down();
  expect(await stored("fresh")).toEqual([["kept", ...values.map(() => null)]]);
});

const longText = "x".repeat(300);

/** From, value, to, value after, value on the way back, what must be allowed. */
const retypes = [
  ["string", "'a'", "text", "a", "a"],
  ["string", "'news'", "enumeration", "news", "news"],
  ["text", "'a'", "string", "a", "a", "narrow"],
  ["integer", "7", "biginteger", "7", 7],
  ["biginteger", "7", "integer", 7, "7", "narrow"],
  ["integer", "7", "float", 7, 7],
  ["integer", "7", "decimal", "7.00", 7, "narrow"],
  ["float", "1.25", "decimal", "1.25", 1.25, "narrow"],
  ["decimal", "1.20", "float", 1.2, "1.20"],
  ["integer", "7", "string", "7", 7],
  ["boolean", "true", "string", "true", true],
  ["date", "'2026-01-02'", "datetime", "2026-01-02 00:00:00", "2026-01-02"],
  ["datetime", "'2026-01-02 03:04:05'", "date", "2026-01-02", "2026-01-02 00:00:00", "narrow"],
  ["json", `'{"a":1}'`, "text", '{"a":1}', '{"a":1}'],
] as const;

const optionsOf = (type: string) => (type === "enumeration" ? { enum: ["news"] } : {});

test.each(inTurn())("types change where every value survives, or where it is allowed, on %s", async (kind) => {
  const lab = await labOn(kind);
  const all = (side: 0 | 2) =>
    thing(Object.fromEntries(retypes.map((row, index) => [`v${index}`, { type: row[side], ...optionsOf(row[side]) }])));
  await lab.change(all(0));
  await lab.up();
  const names = retypes.map((_, index) => `v${index}`);
  await lab.run(insertVersion("things", names.join(", "), retypes.map(([, value]) => value).join(", ")));

  const flags = retypes.flatMap((row, index) => (row[5] ? [`${row[5]}:thing.v${index}`] : []));
  const refused = lab.change(all(2)).catch((error: unknown) => String(error));
  for (const flag of flags) expect(await refused).toContain(`--allow ${flag}`);
  await lab.change(all(2), flags);
  await lab.up();
  const select = `select ${names.join(", ")} from things`;
  expect(await lab.rows(select)).toEqual([retypes.map((row) => row[3])]);
  await lab.down();
  expect(await lab.rows(select)).toEqual([retypes.map((row) => row[4])]);
});

test.each(inTurn())("a text that does not fit stops the migration and stays whole on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(thing({ note: { type: "text" } }));
  await lab.up();
  await lab.run(insertVersion("things", "note", `'${longText}'`));
  await lab.change(thing({ note: { type: "string" } }), ["narrow:thing.note"]);
  await expect(lab.up()).rejects.toThrow("value too long");
  expect(await lab.rows("select note from things")).toEqual([[longText]]);
});

test.each(inTurn())("a type that does not convert takes a written conversion on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(thing({ price: { type: "string" } }));
  await lab.up();
  await lab.run(insertVersion("things", "price", "'12 EUR'"));
  await expect(lab.change(thing({ price: { type: "integer" } }))).rejects.toThrow('"convert"');
  await lab.change(thing({ price: { type: "integer", convert: "split_part(price, ' ', 1)::integer" } }));
  await lab.up();
  expect(await lab.rows("select price from things")).toEqual([[12]]);
  await lab.down();
  expect(await lab.rows("select price from things")).toEqual([["12"]]);
});

const stateBox = (enumeration: object) => ({
  "components/shared/box.json": component({ state: { type: "enumeration", ...enumeration } }),
});

test.each(inTurn())("values of an enumeration are renamed, and others do not vanish, on %s", async (kind) => {
  const lab = await labOn(kind);
  const box = { type: "component", component: "shared.box" };
  const before = { enum: ["news", "opinion"] };
  await lab.change({ ...thing({ state: { type: "enumeration", ...before }, box }), ...stateBox(before) });
  await lab.up();
  await lab.run(insertVersion("things", "state, box", `'opinion', '{"id":1,"state":"opinion"}'`));
  const after = { enum: ["news", "comment"], renamedValues: { comment: "opinion" } };
  await lab.change({ ...thing({ state: { type: "enumeration", ...after }, box }), ...stateBox(after) });
  await lab.up();
  const read = () => lab.rows("select state, box ->> 'state' from things");
  expect(await read()).toEqual([["comment", "comment"]]);
  await lab.down();
  expect(await read()).toEqual([["opinion", "opinion"]]);
  await lab.up();

  const less = { enum: ["news"] };
  await lab.change({ ...thing({ state: { type: "enumeration", ...less }, box }), ...stateBox(after) });
  await expect(lab.up()).rejects.toThrow(
    /things\.state has the value "comment" in row \d+, which is no longer allowed: .*"renamedValues"/,
  );
  await lab.run("update things set state = 'news'");
  await lab.up();
});

test.each(inTurn())(
  "an enumeration becomes a text without a flag, and back where its values fit, on %s",
  async (kind) => {
    const lab = await labOn(kind);
    const box = { type: "component", component: "shared.box" };
    const values = { enum: ["news", "opinion"] };
    const text = { "components/shared/box.json": component({ state: { type: "string" } }) };
    await lab.change({ ...thing({ state: { type: "enumeration", ...values }, box }), ...stateBox(values) });
    await lab.up();
    await lab.run(insertVersion("things", "state, box", `'opinion', '{"id":1,"state":"news"}'`));
    await lab.change({ ...thing({ state: { type: "string" }, box }), ...text });
    await lab.up();
    const read = () => lab.rows("select state, box ->> 'state' from things");
    expect(await read()).toEqual([["opinion", "news"]]);
    await lab.run(`update things set box = '{"id":1,"state":"anything"}'`);
    await expect(lab.down()).rejects.toThrow(/anything/);
    await lab.run(`update things set box = '{"id":1,"state":"opinion"}'`);
    await lab.down();
    expect(await read()).toEqual([["opinion", "opinion"]]);
  },
);

test("renames move along a chain, and free a name for a new attribute", async () => {
  const lab = await labOn("postgres");
  const text = { type: "string", unique: true };
  await lab.change(thing({ phone: text, phoneTwo: text, title: text }));
  await lab.up();
  await lab.run(insertVersion("things", "phone, phone_two, title", "'one', 'two', 'old'"));
  const renamed = thing({
    phoneTwo: { ...text, renamedFrom: "phone" },
    phoneThree: { ...text, renamedFrom: "phoneTwo" },
    headline: { ...text, renamedFrom: "title" },
    title: text,
  });
  await lab.change(renamed);
  await lab.up();
  expect(await lab.rows("select phone_two, phone_three, headline, title from things")).toEqual([
    ["one", "two", "old", null],
  ]);
  expect(await lab.change(renamed)).toBeUndefined();
  await lab.down();
  expect(await lab.rows("select phone, phone_two, title from things")).toEqual([["one", "two", "old"]]);
});

test("a unique index that met duplicates is built when they are gone", async () => {
  const lab = await labOn("postgres");
  await lab.change(thing({ code: { type: "string" } }));
  await lab.up();
  await lab.run(`insert into documents values ('d1', 'x'), ('d2', 'x');
    insert into things (document_id, created_at, updated_at, published_at, code)
    values ('d1', now(), now(), now(), 'a'), ('d2', now(), now(), now(), 'a')`);
  await lab.change(thing({ code: { type: "string", unique: true } }));
  await expect(lab.up()).rejects.toThrow("could not create unique index");
  await expect(lab.up()).rejects.toThrow("could not create unique index");
  await lab.run("update things set code = 'b' where document_id = 'd2'");
  await lab.up();
});

const switches = [true, false].flatMap((drafts) => [true, false].map((locales) => [drafts, locales] as const));
const both = switches.flatMap((from) => switches.map((to) => [from, to] as const));

const typeWith = ([draftAndPublish, localized]: readonly [boolean, boolean]) => ({
  [file("thing")]: schema("thing", title, {
    options: { draftAndPublish },
    pluginOptions: { i18n: { localized } },
  }),
});

const versions = (drafts: boolean) => Array.from({ length: drafts ? 2 : 1 }, () => ["kept"]);

test.each(both.filter(([from, to]) => from[0] !== to[0] && from[1] !== to[1]))(
  "drafts and locales are turned on and off together: from %s to %s",
  async (from, to) => {
    const lab = await labOn("postgres");
    await lab.change(typeWith(from));
    await lab.up();
    const locale = from[1] ? ["locale, ", "'en', "] : ["", ""];
    const insert = (published: string) =>
      `insert into things (document_id, created_at, updated_at, published_at, ${locale[0]}title)
       values ('d1', now(), now(), ${published}, ${locale[1]}'kept');`;
    await lab.run(`insert into documents values ('d1', 'x'); ${insert("now()")} ${from[0] ? insert("null") : ""}`);
    await lab.change(typeWith(to), ["publish:thing", "drop:thing.locale"]);
    await lab.up();
    expect(await lab.rows("select title from things")).toEqual(versions(to[0]));
    await lab.down();
    expect(await lab.rows("select title from things")).toEqual(versions(from[0]));
  },
);
