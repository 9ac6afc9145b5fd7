/** Every suggested conversion is tried on values of its type, in a column and in a component. */
import { afterAll, expect, onTestFinished, test } from "vitest";
import { conversionOf } from "../../../generator/migrate/convert.ts";
import { suggestConvert } from "../../../generator/migrate/suggest.ts";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const database = await freshDatabase("postgres");
const lab = await migrationLab(database, afterAll);

const types = "string text integer biginteger float decimal boolean date time datetime json blocks".split(" ");

/** A value of each type that has a place in another, as JSON. */
const sample = (from: string, to: string): unknown => {
  if (from === "integer") return 3;
  if (from === "biginteger") return "9007199254740993";
  if (from === "float" || from === "decimal") return 1.7;
  if (from === "boolean") return true;
  if (to === "boolean") return "true";
  if (from === "date" || to === "date") return "2026-01-02";
  if (from === "time" || to === "time") return "03:04:05.000";
  if (from === "datetime" || to === "datetime") return "2026-01-02T03:04:05.678Z";
  if (to === "biginteger") return "9007199254740993";
  return ["integer", "float", "decimal"].includes(to) ? "1.7" : 'some "prose", it\'s';
};

/** What becomes of it, as a component holds it. */
const expected = (from: string, to: string): unknown => {
  const value = sample(from, to);
  const number = Number(value === true ? 1 : value);
  if (to === "integer") return Math.round(number);
  if (to === "biginteger") return from === "boolean" ? "1" : "9007199254740993";
  if (to === "float" || to === "decimal") return number;
  if (to === "boolean") return true;
  if (to === "blocks") return [{ type: "paragraph", children: [{ type: "text", text: value }] }];
  return to === "json" && from === "biginteger" ? expect.anything() : value;
};

const pairs = types
  .flatMap((from) => types.map((to) => ({ from, to, name: `${from}_${to}` })))
  .filter(({ from, to }) => conversionOf(from, to).kind === "unknown" && suggestConvert(from, to, "x") !== undefined);

const files = (side: "from" | "to", converts: ReadonlyMap<string, string>) => {
  const attributes = (owner: string) =>
    Object.fromEntries(
      pairs.map((pair) => {
        const convert = converts.get(`${owner}.${pair.name}`);
        return [pair.name, { type: pair[side], ...(convert === undefined ? {} : { convert }) }];
      }),
    );
  return {
    "thing/schema.json": schema("thing", {
      ...attributes("things"),
      box: { type: "component", component: "shared.box" },
    }),
    "components/shared/box.json": component(attributes("shared.box")),
  };
};

test("what a refusal suggests carries values over whole, in columns and in components", async () => {
  expect(pairs.length).toBeGreaterThan(25);
  await lab.change(files("from", new Map()));
  await lab.up();
  const values = Object.fromEntries(pairs.map(({ name, from, to }) => [name, sample(from, to)]));
  await database.rows("insert into documents values ('d1', 'api::thing.thing')");
  await database.script(`insert into things (document_id, created_at, updated_at, published_at, box${pairs.map(({ name }) => `, "${name}"`).join("")})
    select 'd1', now(), now(), now(), $json$${JSON.stringify({ id: 1, ...values })}$json$::json${pairs
      .map(({ name }) => `, v."${name}"`)
      .join("")}
    from json_populate_record(null::things, $json$${JSON.stringify(values)}$json$) as v`);

  const refusal = String(await lab.change(files("to", new Map())).catch(String));
  const suggestions = [...refusal.matchAll(/^ {2}(\S+) changes from .* such as "convert": ("(?:[^"\\]|\\.)*")/gm)];
  const converts = new Map(suggestions.map(([, place = "", text = '""']) => [place, String(JSON.parse(text))]));
  expect(converts.size).toBe(2 * pairs.length);
  await lab.change(files("to", converts));
  await lab.up();
  const [row] = await lab.rows("select row_to_json(things), box from things");
  const [columns, box]: Record<string, unknown>[] = (row ?? []).map((each) => JSON.parse(String(each)));
  const wanted = Object.fromEntries(pairs.map(({ name, from, to }) => [name, expected(from, to)]));
  expect(box).toMatchObject(wanted);
  const plain = pairs.filter(({ to }) => !["biginteger", "time", "datetime"].includes(to));
  expect(columns).toMatchObject(Object.fromEntries(plain.map(({ name }) => [name, wanted[name]])));
  expect(await lab.rows("select string_biginteger::text, string_time::text, json_datetime::text from things")).toEqual([
    ["9007199254740993", "03:04:05", "2026-01-02 03:04:05.678"],
  ]);
});

const page = (price: object, size: object) => ({
  "page/schema.json": schema("page", {
    price,
    secret: { type: "string" },
    box: { type: "component", component: "shared.box" },
  }),
  "components/shared/box.json": component({ size }),
});
const number = (convert: string) => ({ type: "integer", convert });

test("a value that does not convert is named by table, column and row, and nothing else of its row is printed", async () => {
  const own = await migrationLab(database, onTestFinished);
  await own.change(page({ type: "string" }, { type: "string" }));
  await own.up();
  await own.run(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, price, secret, box) values
      ('p1', now(), now(), now(), '12', 'hidden', '{"id":1,"size":"3"}'), ('p2', now(), now(), now(), 'much', 'hidden', '{"id":2,"size":"big"}')`);
  const failure = async () => String(await own.up().catch(String));
  await own.change(page(number(`"price"::integer`), number("value::integer")));
  expect(await failure()).toMatch(
    /: invalid input syntax for type integer: "[a-z]+" \(pages\.\w+, row 2 of document p2\)\.$/,
  );
  await own.run("update pages set price = '13' where document_id = 'p2'");
  expect(await failure()).toMatch(/"big" \(pages\.box, row 2 of document p2\)\.$/);
  await own.run(`update pages set box = '{"id":2,"size":"4"}' where document_id = 'p2'`);
  await own.run("alter table pages add constraint mine check (secret <> 'hidden' or price = '1') not valid");
  const refused = await failure();
  expect(refused).toContain('violates check constraint "mine"');
  expect(refused).not.toContain("hidden");
});
