/** What becomes required, and the content that lacks it: on record, in the header, and counted. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { branchProject } from "../../support/branch.ts";
import { component, schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };
const box = { type: "component", component: "shared.box" };
const sections = { type: "dynamiczone", components: ["shared.box", "shared.note"] };
const tag = { type: "relation", target: "api::tag.tag" };
const files = (isRequired: boolean, more: object = {}) => {
  const required = isRequired ? { required: true } : {};
  return {
    "page/schema.json": schema(
      "page",
      {
        subtitle: { ...text, ...required },
        box: { ...box, ...required },
        boxes: { ...box, repeatable: true, ...required },
        sections: { ...sections, ...required },
        best: { ...tag, relation: "oneToOne", ...required },
        tags: { ...tag, relation: "oneToMany", ...required },
        since: { type: "date", ...required, conditions: { visible: { "==": [{ var: "subtitle" }, "x"] } } },
        ...more,
      },
      { options: { draftAndPublish: true } },
    ),
    "tag/schema.json": schema("tag", { name: { ...text, ...required } }),
    "components/shared/box.json": component({ label: { ...text, ...required }, size: { type: "integer" } }),
    "components/shared/note.json": component({ words: text }),
  };
};
const printed: string[] = [];
const linesOf = (name: string): readonly string[] =>
  printed
    .join("")
    .split("\n")
    .filter((line) => line.startsWith(`-- ${name} `))
    .map((line) => line.slice(`-- ${name} `.length));

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});

const lacking = [
  "1 row of pages without subtitle, which is required",
  "1 row of pages without box, which is required",
  "2 rows of pages without best, which is required",
  "1 row of pages without tags, which is required",
  "2 rows of tags without name, which is required",
  "4 entries of shared.box without label, which is required",
];

test("what becomes required is a migration that says what lacks it, in columns, links and entries", async () => {
  await project.change(files(false));
  await project.migrate();
  project.commit();
  const [full, empty] = ['{"id":1,"label":"a","size":1}', '{"id":2,"label":null,"size":1}'];
  await project.database.script(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page'),
      ('t1', 'api::tag.tag'), ('t2', 'api::tag.tag');
    insert into tags (document_id, created_at, updated_at, published_at) values ('t1', now(), now(), now()), ('t2', now(), now(), now());
    insert into pages (document_id, created_at, updated_at, published_at, subtitle, box, boxes, sections) values
      ('p1', now(), now(), null, null, null, null, null),
      ('p1', now(), now(), now(), 'here', '${empty}', '[${empty},${full},{"id":3}]', '[{"__component":"shared.box","id":4},{"__component":"shared.note","id":5}]'),
      ('p2', now(), now(), now(), null, 'null', null, null);
    insert into pages_tags (version_id, document_id, position) select id, 't1', 1 from pages where subtitle = 'here'`);
  const { migration, stops } = await project.change(files(true));
  expect(migration?.name).toMatch(/_change_page_subtitle_and_7_more$/);
  const sql = String(migration?.files["up.sql"]);
  expect(sql).toContain(
    "-- Lacks: pages.subtitle\n--        pages.box\n--        pages.best\n--        pages.tags\n--        tags.name\n--        shared.box.label\n",
  );
  expect(sql).toContain("requires pages.subtitle of what is published\n");
  expect(migration?.files["down.sql"]).toContain("no longer requires shared.box.label\n");
  const name = String(migration?.name);
  expect(stops).toEqual(lacking.map((line) => `leaves ${line}`));
  await project.migrate({ dryRun: true });
  expect(linesOf(name)).toEqual(lacking.map((line) => `leaves ${line}`));
  await project.migrate();
  expect(printed.join("")).toContain(`${lacking.map((line) => `${line} now\n`).join("")}1 applied\n`);
  // On record: what is required no longer is a change too.
  const back = await project.change(files(false));
  expect(back.migration?.files["down.sql"]).toContain("-- Lacks: pages.subtitle\n");
  await project.change(files(true));
  expect(project.titles()).toHaveLength(2);
});

test("a snapshot that does not say what is required is no reason for a migration, and is read", async () => {
  const file = project.file(String(project.names().at(-1)), "snapshot.json");
  const { required, ...older } = JSON.parse(readFileSync(file, "utf8"));
  expect(required).toContain("shared.box.label");
  writeFileSync(file, JSON.stringify(older, null, 2));
  expect((await project.change(files(false))).migration).toBe(undefined);
  expect((await project.change(files(false), { check: true })).exitCode).toBe(0);
  const { migration } = await project.change(files(false, { extra: { ...text, required: true } }));
  expect(migration?.files["up.sql"]).toContain("-- Lacks: pages.extra\n");
  expect(migration?.files["snapshot.json"]).toContain('"required"');
});
