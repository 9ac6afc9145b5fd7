/** The SQL that rewrites entries of components, as a reviewer reads it, and the rows that it touches. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { databasesInTurn, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const inTurn = databasesInTurn();
const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases = "postgres") => migrationLab(databases[kind], onTestFinished);

const text = { type: "string" };
const single = (uid: string) => ({ type: "component", component: uid });
const repeated = (uid: string) => ({ type: "component", component: uid, repeatable: true });
const zone = (...components: string[]) => ({ type: "dynamiczone", components });

const page = {
  "page/schema.json": schema("page", {
    title: text,
    one: single("shared.link"),
    list: repeated("shared.link"),
    deep: single("blocks.hero"),
    sections: zone("shared.link", "blocks.hero", "shared.note"),
  }),
  "components/shared/note.json": component({ words: text }),
  "components/blocks/hero.json": component({
    heading: text,
    links: repeated("shared.link"),
    main: single("shared.link"),
  }),
};
const files = (link: object) => ({ ...page, "components/shared/link.json": component(link) });

/** The statements of a migration, without its header. */
const statements = (lab: MigrationLab, name: string | undefined, file = "up.sql"): string =>
  readFileSync(path.join(lab.migrations, String(name), file), "utf8")
    .split("\n\n")
    .slice(1)
    .join("\n\n");

/** Inserts rows by their ids; a value is put in as JSON. */
const insert = async (lab: MigrationLab, rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => {
  for (const [id, row] of Object.entries(rows)) {
    const values = Object.values(row).map((value) => `'${JSON.stringify(value)}'`);
    await lab.run(`insert into documents values ('${id}', 'api::page.page');
      insert into pages (${["document_id", "created_at", "updated_at", "published_at", ...Object.keys(row)].join(", ")})
      values (${[`'${id}'`, "now()", "now()", "now()", ...values].join(", ")})`);
  }
};

test("a field that comes is no statement, one with a default a function and an update, and so is one that goes", async () => {
  const lab = await labOn();
  await lab.change(files({ url: text }));
  const plain = await lab.change(files({ url: text, label: text }));
  expect(statements(lab, plain)).toBe("");
  const filled = await lab.change(
    files({ url: text, label: text, target: { ...text, required: true, default: "_self" } }),
  );
  const sql = statements(lab, filled);
  const [, hash = ""] = /galley_entry_(\w{8})_/.exec(sql) ?? [];
  const [link, hero] = [`"galley_entry_${hash}_shared.link"`, `"galley_entry_${hash}_blocks.hero"`];
  const values = {
    one: `${link}("one")`,
    list: `galley_each("list", '${link}')`,
    deep: `${hero}("deep")`,
    sections: `galley_each_of(galley_each_of("sections", 'shared.link', '${link}'), 'blocks.hero', '${hero}')`,
  };
  const columns = Object.entries(values).map(([name, value]) => {
    const made = new RegExp(`galley_next_\\w{8}_${name}`).exec(sql)?.[0];
    return { name, value, made, quoted: value.replaceAll("'", "''") };
  });
  const each = (print: (column: (typeof columns)[number]) => string, separator = "\n\n") =>
    columns.map(print).join(separator);
  expect(sql).toBe(`-- before the transaction:

create or replace function ${link}(entry json) returns json language plpgsql as $$
begin return galley_add(entry, '{"target": "_self"}'); end
$$;

create or replace function ${hero}(entry json) returns json language plpgsql as $$
begin
  entry := galley_change(entry, 'links', galley_each(entry -> 'links', '${link}'));
  entry := galley_change(entry, 'main', ${link}(entry -> 'main'));
  return entry;
end
$$;

${each(({ made, quoted }) => `select galley_follow('"pages"', '${made}', 'json', '${quoted}');`)}

do $$
declare
  galley_from integer := 0;
  galley_to integer;
begin
  loop
    select max("id") into galley_to
    from (select "id" from "pages" where "id" > galley_from order by "id" limit 5000) as batch;
    exit when galley_to is null;
    perform set_config('galley.made', 'yes', true);
    update "pages"
    set ${each(({ made, value }) => `"${made}" = (${value})`, ",\n      ")}
    where "id" > galley_from and "id" <= galley_to
      and (${each(({ made, name }) => `"${made}" is null and "${name}" is not null`, "\n      or ")});
    commit;
    galley_from := galley_to;
  end loop;
end
$$;

-- in the transaction:

set local galley.made = 'yes';

lock table "pages" in share row exclusive mode;

${each(({ made, name, value }) => `update "pages"\nset "${made}" = (${value})\nwhere "${made}" is null and "${name}" is not null;`)}

${each(({ made, name, quoted }) => `select galley_take('"pages"', '${name}', '${made}', 'json', '${quoted}');`)}

drop function if exists ${link}(json);

drop function if exists ${hero}(json);
`);
});

const heroes = (attributes: object, own: object) => ({
  "page/schema.json": schema("page", attributes),
  "components/a/hero.json": component({ heading: text, image: text }),
  "components/b/hero.json": component(own, { info: { displayName: "Hero", renamedFrom: "a.hero" } }),
  "components/shared/note.json": component({ words: text }),
});

test.each(inTurn())("entries move to a component that says it comes from theirs, on %s", async (kind) => {
  const lab = await labOn(kind);
  const same = { heading: text, image: text };
  const kept = { other: single("a.hero") };
  const before = { one: single("a.hero"), list: repeated("a.hero"), sections: zone("a.hero", "shared.note"), ...kept };
  const after = { one: single("b.hero"), list: repeated("b.hero"), sections: zone("b.hero", "shared.note"), ...kept };
  await lab.change({ ...heroes(before, same), "components/b/hero.json": component(same) });
  await lab.up();
  const entry = { id: 1, heading: "h", image: "/i" };
  const note = { __component: "shared.note", id: 2, words: "w" };
  const stored = (uid: string) => ({
    one: entry,
    list: [entry],
    sections: [{ __component: uid, ...entry }, note],
    other: entry,
  });
  await insert(lab, { p1: stored("a.hero") });
  const read = async () => {
    const [row = []] = await lab.rows("select one, list, sections, other from pages");
    return row.map((value): unknown => JSON.parse(String(value)));
  };
  // Without a word of it they would go.
  await expect(lab.change({ ...heroes(after, same), "components/b/hero.json": component(same) })).rejects.toThrow(
    "--allow drop:page.sections.a.hero",
  );
  const name = await lab.change(heroes(after, same));
  for (const file of ["up.sql", "down.sql"]) {
    expect(lossesOf(readFileSync(path.join(lab.migrations, String(name), file), "utf8"))).toEqual([]);
  }
  await lab.up();
  expect(await read()).toEqual(Object.values(stored("b.hero")));
  await lab.down();
  expect(await read()).toEqual(Object.values(stored("a.hero")));
});

test("a field that the other component lacks is named as lost, one that it calls otherwise goes along", async () => {
  const lab = await labOn();
  const own = { title: { ...text, renamedFrom: "heading" } };
  await lab.change({ ...heroes({ one: single("a.hero") }, own), "components/b/hero.json": component({ title: text }) });
  await lab.up();
  await insert(lab, { p1: { one: { id: 1, heading: "h", image: "/i" } } });
  await expect(lab.change(heroes({ one: single("b.hero") }, own))).rejects.toThrow("--allow drop:b.hero.image");
  await lab.change(heroes({ one: single("b.hero") }, own), ["drop:b.hero.image"]);
  await lab.up();
  const [[value] = []] = await lab.rows("select one from pages");
  expect(JSON.parse(String(value))).toEqual({ id: 1, title: "h" });
});

const indexOn = (column: string) => [
  [`CREATE INDEX pages_${column}_entries_idx ON public.pages USING gin (((${column})::jsonb) jsonb_path_ops)`],
];

test.each(inTurn())("an index for entries comes, stays with its column and goes, on %s", async (kind) => {
  const lab = await labOn(kind);
  const indexed = (name: string, more: object = {}, link: object = { url: text }) => ({
    ...files(link),
    "page/schema.json": schema("page", { [name]: { ...zone("shared.link"), ...more } }),
  });
  const indexes = () => lab.rows("select indexdef from pg_indexes where indexname like '%entries_idx'");
  await lab.change(indexed("sections"));
  await lab.up();
  await insert(lab, { a: { sections: [{ __component: "shared.link", id: 1, url: "/a" }] } });
  const added = await lab.change(indexed("sections", { index: true }));
  expect(statements(lab, added)).toContain(`create index concurrently "pages_sections_entries_idx"`);
  await lab.up();
  expect(await indexes()).toEqual(indexOn("sections"));
  // The entries are rewritten, and so is the index.
  await lab.change(indexed("sections", { index: true }, { address: { ...text, renamedFrom: "url" } }));
  await lab.up();
  expect(await indexes()).toEqual(indexOn("sections"));
  const address = { address: text };
  await lab.change(indexed("parts", { index: true, renamedFrom: "sections" }, address));
  await lab.up();
  expect(await indexes()).toEqual(indexOn("parts"));
  expect(await lab.rows(`select parts::text from pages where parts::jsonb @> '[{"address": "/a"}]'`)).toHaveLength(1);
  await lab.down();
  expect(await indexes()).toEqual(indexOn("sections"));
  await lab.up();
  const dropped = await lab.change(indexed("parts", {}, address));
  expect(statements(lab, dropped)).toContain(`drop index concurrently if exists "pages_parts_entries_idx"`);
  await lab.up();
  expect(await indexes()).toEqual([]);
});
