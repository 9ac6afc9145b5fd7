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
  rmSync(path.join(project.root, "generated"), { recursive: true, force: true });
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

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const relation = (kind: string, target: string, more: object = {}) => ({
  type: "relation",
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const drafts = (draftAndPublish: boolean) => ({ options: { draftAndPublish } });

const turned = (isAfter: boolean) => {
  return {
    "page/schema.json": schema(
      "page",
      {
        code: { ...text, unique: true },
        price: { type: isAfter ? "json" : "integer" },
        mood: isAfter ? { type: "enumeration", enum: ["good"] } : text,
        tag: relation(isAfter ? "manyToOne" : "manyToMany", "tag", { inversedBy: "pages" }),
        other: relation("oneToOne", isAfter ? "tag" : "word"),
        any: isAfter ? relation("oneToOne", "tag") : { type: "relation", relation: "morphToOne" },
        parts: isAfter ? { type: "component", component: "shared.box" } : zone("shared.box", "shared.note"),
        note: { type: "component", component: isAfter ? "shared.box" : "shared.note" },
        inner: { type: "component", component: "shared.inner" },
      },
      drafts(!isAfter),
    ),
    "tag/schema.json": schema("tag", {
      name: text,
      pages: relation(isAfter ? "oneToMany" : "manyToMany", "page", { mappedBy: "tag" }),
      ...(isAfter
        ? { sorts: relation("manyToMany", "sort") }
        : { sorts: relation("manyToMany", "sort", { mappedBy: "tags" }) }),
    }),
    "word/schema.json": schema("word", { name: text }, isAfter ? {} : LOCALIZED),
    "sort/schema.json": schema(
      "sort",
      isAfter ? { name: text } : { name: text, tags: relation("manyToMany", "tag", { inversedBy: "sorts" }) },
    ),
    "components/shared/box.json": component({ label: text }),
    "components/shared/note.json": component({ words: text }),
    "components/shared/inner.json": component({
      size: { type: isAfter ? "integer" : "float" },
      kind: isAfter ? { type: "enumeration", enum: ["a"] } : text,
      file: isAfter ? { type: "media", allowedTypes: ["images"] } : { type: "boolean" },
      link: relation("oneToOne", isAfter ? "tag" : "word"),
    }),
  };
};

test("every loss and every stop that a header names is counted, and none that does not happen", async () => {
  await project.database.script("drop schema public cascade; create schema public");
  rmSync(path.join(project.root, "generated"), { recursive: true, force: true });
  await project.change(turned(false));
  await project.migrate();
  const parts = JSON.stringify([
    { __component: "shared.box", id: 1, label: "a" },
    { __component: "shared.note", id: 2, words: "b" },
    { __component: "shared.box", id: 3, label: "c" },
  ]);
  const inner = JSON.stringify({ id: 4, size: 1.5, kind: "b", file: true, link: "w1" });
  await project.database.script(`
    insert into documents select id, 'api::' || kind || '.' || kind from (values ('p1', 'page'), ('p2', 'page'), ('t1', 'tag'), ('t2', 'tag'), ('w1', 'word'), ('s1', 'sort')) as each (id, kind);
    insert into words (document_id, locale, created_at, updated_at, published_at, name)
    select 'w1', locale, now(), now(), now(), 'w' from unnest(array['en', 'de', 'fr']) as locale;
    insert into tags (document_id, created_at, updated_at, published_at, name) select 't' || n, now(), now(), now(), 't' from generate_series(1, 2) as n;
    insert into pages (document_id, created_at, updated_at, published_at, code, price, mood, other_document_id, any_document_id, any_type, parts, note, "inner") values
      ('p1', now(), now(), now(), 'same', 1, 'bad', 'w1', 'w1', 'api::word.word', '${parts}', '{"id":5,"words":"x"}', '${inner}'),
      ('p2', now(), now(), null, 'same', 2, 'good', null, 't1', 'api::tag.tag', '[]', null, null);
    insert into pages_tag (version_id, document_id, position) select min(id), 't1', 1 from pages union all select min(id), 't2', 2 from pages;
    insert into sorts (document_id, created_at, updated_at, published_at, name) values ('s1', now(), now(), now(), 's');
    insert into sorts_tags (version_id, document_id, position) select id, 't1', 1 from sorts`);
  const refusal = await project.change(turned(true)).catch(String);
  const allow = [...String(refusal).matchAll(/--allow (\S+)$/gm)].map(([, flag]) => String(flag));
  await project.change(turned(true), { allow });
  printed.length = 0;
  await project.migrate({ dryRun: true });
  const name = project.names().at(-1) ?? "";
  const counted = printed
    .join("")
    .split("\n")
    .filter((line) => line.startsWith(`-- ${name} `));
  expect(counted.map((line) => line.slice(`-- ${name} `.length)).sort()).toEqual([
    "loses 1 entry of pages.parts beyond the first of each",
    "loses 1 entry of shared.note in pages.parts",
    "loses 1 link of pages.other",
    "loses 1 link of pages_tag beyond the first of each",
    "loses 1 link of shared.inner.link",
    "loses 1 target of other types in pages.any_document_id",
    "loses 1 value of pages.note",
    "loses 1 value of shared.inner.file",
    "loses 1 value of shared.inner.size with a fraction, which is rounded",
    "loses 2 values of pages.price",
    "loses 2 versions of words in other locales",
    "publishes 1 document of pages without a published version",
    'stops at 1 value of pages.mood other than good: change them first, or say with "renamedValues" what they are called now',
    'stops at 1 value of shared.inner.kind other than a: change them first, or say with "renamedValues" what they are called now',
    "stops at 1 value that stands twice or more in pages, where pages_code_unique allows each once: change all but one of each first",
  ]);
});

const versioned = (isVersioned: boolean) => ({
  "page/schema.json": schema("page", isVersioned ? { title: text, old: text } : { title: text }, {
    ...drafts(isVersioned),
    ...(isVersioned ? LOCALIZED : {}),
  }),
});

test("where locales and drafts go together, what stands in another locale or draft is counted once", async () => {
  await project.database.script("drop schema public cascade; create schema public");
  rmSync(path.join(project.root, "generated"), { recursive: true, force: true });
  await project.change(versioned(true));
  await project.migrate();
  await project.database.script(`insert into documents values ('p1', 'api::page.page'), ('p2', 'api::page.page');
    insert into pages (document_id, locale, created_at, updated_at, published_at, old)
    select id, locale, now(), now(), at, 'old'
    from unnest(array['en', 'fr']) as locale, (values ('p1', now()), ('p1', null), ('p2', null)) as versions (id, at)`);
  const allow = ["publish:page", "drop:page.locale", "drop:page.old"];
  await project.change(versioned(false), { allow });
  printed.length = 0;
  await project.migrate({ dryRun: true });
  expect(
    printed
      .join("")
      .match(/(?:loses|publishes|stops at) \d.*/g)
      ?.sort(),
  ).toEqual([
    "loses 1 draft of pages beside what is published",
    "loses 2 values of pages.old",
    "loses 3 versions of pages in other locales",
    "publishes 1 document of pages without a published version",
  ]);
});

/** Components each of which holds the next one twice: so many levels have two to their power paths to the last. */
const nested = (levels: number, last: object) => {
  const names = Array.from({ length: levels }, (_each, level) => `level${level}`);
  const components = names.map((name, level) => {
    const inner = { type: "component", component: `deep.level${level + 1}` };
    const fields = level === levels - 1 ? last : { left: inner, right: { ...inner, repeatable: level % 2 === 1 } };
    return [`components/deep/${name}.json`, component(fields)] as const;
  });
  const outer = { type: "component", component: "deep.level0" };
  return { "page/schema.json": schema("page", { outer, other: outer }), ...Object.fromEntries(components) };
};

/** The size of the migration that removes the last field, and what is counted of one page. */
const removal = async (levels: number) => {
  await project.database.script("drop schema public cascade; create schema public");
  rmSync(path.join(project.root, "generated"), { recursive: true, force: true });
  await project.change(nested(levels, { label: text, words: text }));
  await project.migrate();
  const ends = Array.from({ length: levels - 1 }).reduceRight<object>(
    (inner, _each, level) => ({ left: inner, right: level % 2 === 1 ? [inner, inner] : inner }),
    { label: "a" },
  );
  const value = JSON.stringify(levels > 8 ? { left: { left: null } } : ends);
  await project.database.script(`insert into documents values ('p1', 'api::page.page');
    insert into pages (document_id, created_at, updated_at, published_at, "outer", other)
    values ('p1', now(), now(), now(), '${value}', null)`);
  const flags = { allow: ["drop:deep.level" + String(levels - 1) + ".label"] };
  const { migration } = await project.change(nested(levels, { words: text }), flags);
  printed.length = 0;
  await project.migrate({ dryRun: true });
  return { size: project.read(migration?.name, "up.sql").length, said: printed.join("") };
};

test("values of components are counted by statements that grow with the components, not with the ways to them", async () => {
  const [few, twice] = [await removal(4), await removal(24)];
  expect(few.said).toContain("loses 12 values of deep.level3.label");
  expect(twice.said).not.toContain("loses");
  expect(twice.size).toBeLessThan(8 * few.size);
});
