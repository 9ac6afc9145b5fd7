/** Texts of a schema that look like SQL: in defaults, values of enumerations and the header that names them. */
import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const database = await freshDatabase("postgres");
const text = { type: "string" };
const box = { type: "component", component: "shared.box" };
const evil = "it's $$ \"x\" \\ ;\n-- in the transaction:\n-- outside a transaction:\n$1 %I 'q'";
const files = (attributes: object, fields: object) => ({
  "page/schema.json": schema("page", { title: text, box, boxes: { ...box, repeatable: true }, ...attributes }),
  "components/shared/box.json": component(fields),
});
const insert = `insert into documents values ('p1', 'api::page.page');
  insert into pages (document_id, created_at, updated_at, published_at, title, box, boxes) values ('p1', now(), now(), now(), 't', '{"id":1,"label":"l"}', '[{"id":2,"label":"m"}]')`;
test("a default that looks like SQL is a text, in columns and in components", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({}, { label: text }));
  await lab.up();
  await lab.run(insert);
  await lab.change(
    files(
      { more: { type: "text", required: true, default: evil } },
      { label: text, more: { type: "text", required: true, default: evil } },
    ),
  );
  await lab.up();
  const [[more, b] = []] = await lab.rows("select more, box from pages");
  expect(more).toBe(evil);
  expect(JSON.parse(String(b)).more).toBe(evil);
  await lab.down();
});
const state = (values: readonly string[], more: object = {}) => ({ type: "enumeration", enum: values, ...more });

test("values of enumerations that look like SQL are renamed and checked, in columns and in components", async () => {
  const lab = await migrationLab(database, onTestFinished);
  const hostile = ["a$$b", "it's", 'x"y', "back\\slash", "constructor", "__proto__", "per%cent"];
  await lab.change(files({ state: state(hostile) }, { label: text, state: state(hostile) }));
  await lab.up();
  await lab.run(insert + `; update pages set state = 'a$$b', box = '{"id":1,"label":"l","state":"a$$b"}'`);
  const next = ["n$$ew'\n;", ...hostile.slice(1, -1)];
  await lab.change(
    files(
      { state: state(next, { renamedValues: { "n$$ew'\n;": "a$$b" } }) },
      { label: text, state: state(next, { renamedValues: { "n$$ew'\n;": "a$$b" } }) },
    ),
  );
  await lab.up();
  expect(await lab.rows("select state, box ->> 'state' from pages")).toEqual([["n$$ew'\n;", "n$$ew'\n;"]]);
  await lab.down();
  expect(await lab.rows("select state, box ->> 'state' from pages")).toEqual([["a$$b", "a$$b"]]);
});

const number = (value: string) => ({
  type: "integer",
  convert: `split_part(replace(replace(${value}, ' $$', $$$$), $x$ net$x$, ''), e'$$\\'', 1)::integer`,
});

test("a conversion with texts between dollars is a part of what the migration calls, in columns and in components", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files({ price: text }, { label: text, price: text }));
  await lab.up();
  await lab.run(`${insert}; update pages set price = '5 $$', box = '{"id":1,"label":"l","price":"7 $$ net"}'`);
  await lab.change(files({ price: number("price") }, { label: text, price: number("value") }));
  await lab.up();
  expect(await lab.rows("select price, box -> 'price' from pages")).toEqual([[5, "7"]]);
});
