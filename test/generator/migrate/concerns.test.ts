/** What is said of the content within reach: how much goes, and what a migration would stop at. */
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
      "loses 1 document of api::tag.tag",
      "loses 1 value of pages.subtitle",
      "loses 1 entry of shared.note in pages.sections",
      ...(outcome.stops ?? []).slice(0, 1),
      "loses 3 values of shared.box.label",
      ...(outcome.stops ?? []).slice(1),
    ].map((line) => `-- ${name} ${line}`),
  );
});
