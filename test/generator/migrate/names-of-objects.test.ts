import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { migrationLab, schema } from "../../support/migration-lab.ts";

const text = { type: "string" };
const file = (attributes: object, more: object = {}) => ({ "thing/schema.json": schema("thing", attributes, more) });

test("tables and attributes may be called as what every object of JavaScript has", async () => {
  const lab = await migrationLab(await freshDatabase("pglite", onTestFinished), onTestFinished);
  const links = { valueOf: { type: "relation", relation: "manyToMany", target: "api::thing.thing" } };
  const names = async () => (await lab.rows("select constructor from constructor order by id")).map(([value]) => value);

  await lab.change(file({ title: text, ...links }, { collectionName: "constructor" }));
  await lab.up();
  await lab.change(file({ title: text, constructor: text, ...links }, { collectionName: "constructor" }));
  await lab.up();
  await lab.run(`
    insert into documents values ('a23456789012345678901234', 'api::thing.thing');
    insert into constructor (document_id, created_at, updated_at, published_at, constructor)
      values ('a23456789012345678901234', now(), now(), now(), 'kept');
  `);
  await lab.change(file({ constructor: { type: "text" }, ...links }, { collectionName: "constructor" }), [
    "drop:constructor.title",
  ]);
  await lab.up();
  expect(await names()).toEqual(["kept"]);
  await lab.change(
    file({ toString: { type: "text", renamedFrom: "constructor" }, ...links }, { collectionName: "valueOf" }),
  );
  await lab.up();
  expect(await lab.rows('select to_string from "valueOf"')).toEqual([["kept"]]);
  for (let step = 0; step < 2; step += 1) await lab.down();
  expect(await names()).toEqual(["kept"]);
});
