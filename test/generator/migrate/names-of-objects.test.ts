import { expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { migrationLab, schema } from "../../support/migration-lab.ts";

const text = { type: "string" };
const file = (attributes: object, more: object = {}) => ({ "thing/schema.json": schema("thing", attributes, more) });

test("tables may be called as what every object of JavaScript has", async () => {
  const lab = await migrationLab(await freshDatabase("postgres", onTestFinished), onTestFinished);
  const links = { things: { type: "relation", relation: "manyToMany", target: "api::thing.thing" } };
  const names = async () => (await lab.rows("select label from constructor order by id")).map(([value]) => value);

  await lab.change(file({ title: text, ...links }, { collectionName: "constructor" }));
  await lab.up();
  await lab.change(file({ title: text, label: text, ...links }, { collectionName: "constructor" }));
  await lab.up();
  await lab.run(`
    insert into documents values ('a23456789012345678901234', 'api::thing.thing');
    insert into constructor (document_id, created_at, updated_at, published_at, label)
      values ('a23456789012345678901234', now(), now(), now(), 'kept');
  `);
  await lab.change(file({ label: { type: "text" }, ...links }, { collectionName: "constructor" }), [
    "drop:constructor.title",
  ]);
  await lab.up();
  expect(await names()).toEqual(["kept"]);
  await lab.change(file({ caption: { type: "text", renamedFrom: "label" }, ...links }, { collectionName: "valueOf" }));
  await lab.up();
  expect(await lab.rows('select caption from "valueOf"')).toEqual([["kept"]]);
  for (let step = 0; step < 2; step += 1) await lab.down();
  expect(await names()).toEqual(["kept"]);
});
