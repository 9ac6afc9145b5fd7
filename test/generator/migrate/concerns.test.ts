/** What is said of the content within reach: how much goes, and what a migration would stop at. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { branchProject } from "../../support/branch.ts";
import { component, schema } from "../../support/migration-lab.ts";

const project = await branchProject(afterAll);
const text = { type: "string" };
const box = { type: "component", component: "shared.box" };
const state = (...values: readonly string[]) => ({ type: "enumeration", enum: values });
const files = (attributes: object, fields: object, more: object = {}) => ({
  "page/schema.json": schema("page", attributes),
  "components/shared/box.json": component(fields),
  "components/shared/note.json": component({ words: text }),
  ...more,
});
const zone = (...components: readonly string[]) => ({ type: "dynamiczone", components });
const entry = (label: string | null, mood: string) => JSON.stringify({ id: 1, label, size: 1, mood });
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
});

test("a migration says how many values go, and what it would stop at, before it runs", async () => {
  const boxes = { ...box, repeatable: true };
  const sections = zone("shared.box", "shared.note");
  await project.change(
    files(
      { title: text, subtitle: text, box, boxes, sections, state: state("news", "story", "rare") },
      { label: text, size: { type: "integer" }, mood: state("good", "bad") },
      { "tag/schema.json": schema("tag", { name: text }) },
    ),
  );
  await project.migrate();
  const zoneOf = `[{"__component":"shared.box","label":"z","mood":"bad"},{"__component":"shared.note","words":"x"}]`;
  await project.database
    .script(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page'), ('t1', 'api::tag.tag');
    insert into pages (document_id, created_at, updated_at, published_at, title, subtitle, state, box, boxes, sections) values
      ('p1', now(), now(), now(), 'same', 'one', 'news', '${entry("a", "bad")}', '[${entry("b", "good")},${entry(null, "bad")}]', '${zoneOf}'),
      ('p2', now(), now(), now(), 'same', null, 'story', 'null', '[]', null)`);
  const outcome = await project.change(
    files(
      { title: { ...text, unique: true }, box, boxes, sections: zone("shared.box"), state: state("story", "rare") },
      { size: { type: "integer" }, mood: state("good") },
    ),
    { allow: ["drop:page.subtitle", "drop:shared.box.label", "drop:page.sections.shared.note", "drop:tag"] },
  );
  const rename = `change them first, or say with "renamedValues" what they are called now`;
  expect(outcome.stops).toEqual([
    `stops at 1 value news of pages.state: ${rename}`,
    `stops at 3 values bad of shared.box.mood: ${rename}`,
    "stops at 1 value that stands twice or more in pages, where pages_title_unique allows each once: change all but one of each first",
  ]);
  await project.migrate({ dryRun: true });
  const name = project.names().at(-1) ?? "";
  expect(
    printed
      .join("")
      .split("\n")
      .filter((line) => line.startsWith(`-- ${name} `)),
  ).toEqual(
    [
      ...(outcome.stops ?? []).slice(0, 1),
      "loses 1 document of api::tag.tag",
      "loses 3 values of shared.box.label",
      ...(outcome.stops ?? []).slice(1, 2),
      "loses 1 entry of shared.note in pages.sections",
      "loses 1 value of pages.subtitle",
      ...(outcome.stops ?? []).slice(2),
    ].map((line) => `-- ${name} ${line}`),
  );
});

const kinds = (isNarrow: boolean) => {
  const many = (relation: object) => (isNarrow ? { ...relation } : { ...relation, repeatable: true });
  return {
    "page/schema.json": schema(
      "page",
      {
        big: { type: isNarrow ? "integer" : "biginteger" },
        long: { type: isNarrow ? "string" : "text" },
        half: { type: isNarrow ? "integer" : "float" },
        at: { type: isNarrow ? "date" : "datetime" },
        tags: { type: "relation", relation: isNarrow ? "oneToOne" : "oneToMany", target: "api::tag.tag" },
        boxes: many(box),
        outer: { type: "component", component: "shared.outer" },
      },
      { options: { draftAndPublish: !isNarrow } },
    ),
    "tag/schema.json": schema("tag", { name: text }),
    "components/shared/box.json": component({ label: text }),
    "components/shared/outer.json": component({ inner: many(box) }),
  };
};

test("what has less room is counted by what does not fit, and drafts by what becomes of them", async () => {
  await project.database.script("drop schema public cascade; create schema public");
  rmSync(path.join(project.root, "generated"), { recursive: true });
  await project.change(kinds(false));
  await project.migrate();
  const list = '[{"id":1,"label":"a"},{"id":2,"label":"b"},{"id":3,"label":"c"}]';
  await project.database
    .script(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page'), ('t1', 'api::tag.tag'), ('t2', 'api::tag.tag');
    insert into pages (document_id, created_at, updated_at, published_at, big, long, half, at, boxes, "outer") values
      ('p1', now(), now(), now(), 3000000000, repeat('x', 300), 1.5, '2026-01-02 03:04:05', '${list}', '{"id":4,"inner":${list}}'),
      ('p1', now(), now(), null, 1, 'short', 2, '2026-01-02 00:00:00', '[]', null),
      ('p2', now(), now(), null, null, null, null, null, '[{"id":9}]', '{"id":5,"inner":[]}');
    insert into pages_tags (version_id, document_id, position) select min(id), 't1', 1 from pages;
    insert into pages_tags (version_id, document_id, position) select min(id), 't2', 2 from pages`);
  const refusal = await project.change(kinds(true)).catch(String);
  const allow = [...String(refusal).matchAll(/--allow (\S+)$/gm)].map(([, flag]) => String(flag));
  await project.change(kinds(true), { allow });
  await project.migrate({ dryRun: true });
  const name = project.names().at(-1) ?? "";
  expect(
    printed
      .join("")
      .split("\n")
      .filter((line) => line.startsWith(`-- ${name} `))
      .map((line) => line.slice(`-- ${name} `.length)),
  ).toEqual([
    "loses 1 draft of pages beside what is published",
    "publishes 1 document of pages without a published version",
    "loses 1 link of pages_tags beyond the first of each",
    "loses 2 entries of pages.boxes beyond the first of each",
    "loses 2 entries of shared.outer.inner beyond the first of each",
    "stops at 1 value of pages.big beyond 2147483647: change them first",
    "stops at 1 value of pages.long of more than 255 characters: shorten them first",
    "loses 1 value of pages.half with a fraction, which is rounded",
    "loses 1 value of pages.at of which the time of day goes",
  ]);
});
