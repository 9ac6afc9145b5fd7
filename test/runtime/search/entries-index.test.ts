/** Filters on entries find the same with an index as without one, and the index finds them, on both databases. */
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { configSchema } from "../../../runtime/config/config.ts";
import type { Parameter } from "../../../runtime/database/database.ts";
import { createQueries, objectsOf, readMany } from "../../../runtime/query/index.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { createTables, tablesOf } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { applicationOf } from "../../support/render-project.ts";
import { folderOfRun } from "../../support/run-folder.ts";
import { RUNS } from "../../support/thorough.ts";
import { writeFiles } from "../../support/workspace.ts";

const type = (name: string, index?: true): [string, string] => [
  `content-types/${name}/schema.json`,
  JSON.stringify({
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: {
      title: { type: "string" },
      one: { type: "component", component: "shared.part", index },
      list: { type: "component", component: "shared.part", repeatable: true, index },
      sections: { type: "dynamiczone", components: ["shared.part", "shared.note"], index },
    },
  }),
];
const component = (name: string, attributes: object): [string, string] => [
  `content-types/components/shared/${name}.json`,
  JSON.stringify({ info: { displayName: name }, attributes }),
];

const folder = await folderOfRun("entries-index");
writeFiles(folder, [
  type("slow"),
  type("quick", true),
  component("leaf", { label: { type: "string" } }),
  component("note", { text: { type: "text" } }),
  component("part", {
    text: { type: "string" },
    kind: { type: "enumeration", enum: ["a", "b"] },
    count: { type: "integer" },
    price: { type: "decimal" },
    ratio: { type: "float" },
    size: { type: "biginteger" },
    shown: { type: "boolean" },
    day: { type: "date" },
    at: { type: "datetime" },
    clock: { type: "time" },
    leaf: { type: "component", component: "shared.leaf" },
    leaves: { type: "component", component: "shared.leaf", repeatable: true },
  }),
]);
const application = await applicationOf(folder);

/** Values of each scalar, as they are stored. */
const VALUES = {
  text: ["", "a", "A", "1", "true", "null", "%", "'\"\\", "🎉 שלום"],
  kind: ["a", "b"],
  count: [0, 1, -7, 2_147_483_647],
  price: [0, 1.5, 0.1, 1e20],
  ratio: [0.1, 1e-7, 1.5],
  size: ["0", "9007199254740993"],
  shown: [true, false],
  day: ["2024-01-05", "0099-12-31"],
  at: ["2024-01-05T10:00:00.000Z", "2024-01-05T12:00:00.000Z"],
  clock: ["10:00:00.000", "23:59:59.999"],
} as const;
const LABELS = ["a", "b"];

const scalars = Object.fromEntries(
  Object.entries(VALUES).map(([name, values]) => [name, fc.option(fc.constantFrom<unknown>(...values))]),
);
const leaf = fc.record({ label: fc.constantFrom(...LABELS) });
const part = fc.record(
  { ...scalars, id: fc.integer({ min: 1, max: 3 }), leaf: fc.option(leaf), leaves: fc.array(leaf, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const note = fc.record({ text: fc.constantFrom(...VALUES.text) });
const content = fc.record(
  {
    one: fc.option(part),
    list: fc.array(part, { maxLength: 2 }),
    sections: fc.array(
      fc.oneof(
        part.map((entry) => ({ ...entry, __component: "shared.part" })),
        note.map((entry) => ({ ...entry, __component: "shared.note" })),
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

/** A comparison with one of the values, or with several. */
const compared = (values: readonly unknown[]): fc.Arbitrary<unknown> => {
  const value = fc.constantFrom(...values);
  return fc.oneof(
    value,
    fc.record({ $eq: fc.oneof(value, fc.constant(null)) }),
    fc.record({ $in: fc.array(fc.oneof(value, fc.constant(null)), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $ne: value }),
    fc.record({ $notIn: fc.array(value, { minLength: 1, maxLength: 2 }) }),
    fc.record({ $not: fc.record({ $eq: value }) }),
    fc.record({ $gt: value }),
    fc.record({ $null: fc.boolean() }),
  );
};
const key = (name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  value.map((filter) => ({ [name]: filter }));
const joined = (filter: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 4, arbitrary: filter },
    fc.tuple(filter, filter).map(([one, other]) => ({ $or: [one, other] })),
    fc.tuple(filter, filter).map(([one, other]) => ({ $and: [one, other] })),
  );
const grouped = (filter: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 4, arbitrary: joined(filter) },
    joined(filter).map((one) => ({ $not: one })),
  );

const leafFilter = joined(key("label", compared(LABELS)));
const partFilter = joined(
  fc.oneof(
    ...Object.entries(VALUES).map(([name, values]) => key(name, compared(values))),
    key("leaf", leafFilter),
    key("leaves", leafFilter),
    key("id", compared([1, 2, 3])),
  ),
);
const kinds = ["shared.part", "shared.note"];
const zoneFilter = grouped(
  fc.oneof(
    key("__component", fc.oneof(compared(kinds).filter(isKind))),
    key("shared.part", partFilter),
    key("shared.note", key("text", compared(VALUES.text))),
  ),
);
const filters = grouped(
  fc.oneof(
    key("one", partFilter),
    key("list", partFilter),
    key("sections", zoneFilter),
    key("title", fc.constant("1")),
  ),
);

/** Whether the filter is one that `__component` takes. */
function isKind(filter: unknown): boolean {
  return !/\$not"|\$gt|null/i.test(JSON.stringify(filter));
}

describe.each(bothDatabases)("on %s", async (kind) => {
  const database = await freshDatabase(kind, afterAll);
  await createTables(database, tablesOf(application));
  const config = configSchema.parse({ search: { zoneFilters: true }, limits: { filterSteps: 99, queryCost: 1e9 } });
  const queries = createQueries(createRegistry(application), config, "a secret");
  for (const [index, { one, list, sections }] of fc.sample(content, { numRuns: 40, seed: 7 }).entries()) {
    await database.rows("insert into documents values ($1, 'api::slow.slow')", [`${index}`]);
    await database.rows(
      `insert into slows (document_id, created_at, updated_at, published_at, title, one, list, sections)
      values ($1::text, now(), now(), now(), $1::text, $2, $3, $4)`,
      [`${index}`, ...[one, list, sections].map((value) => (value ? JSON.stringify(value) : null))],
    );
  }
  await database.script(`
    insert into documents select 'q' || document_id, 'api::quick.quick' from slows;
    insert into quicks (document_id, created_at, updated_at, published_at, title, one, list, sections)
    select 'q' || document_id, created_at, updated_at, published_at, title, one, list, sections from slows order by id`);

  /** Reads a list, and records what is sent to the database. */
  const read = async (name: "slow" | "quick", query: object) => {
    const sent: { readonly text: string; readonly values: readonly Parameter[] }[] = [];
    const rows: typeof database.rows = (text, values = []) => {
      sent.push({ text, values });
      return database.rows(text, values);
    };
    const caller = { kind: "token", can: () => true } as const;
    const reading = { services: { config, database: { ...database, rows }, queries }, caller };
    const found = queries.schema.types.find(({ uid }) => uid === `api::${name}.${name}`);
    if (!found) throw new Error(`There is no ${name}`);
    const { documents, pagination } = await readMany(reading, found.type, { pagination: { limit: 100 }, ...query });
    return { titles: objectsOf(documents).map((each) => Reflect.get(each, "title")), total: pagination.total, sent };
  };

  test("filters find the same with an index as without one", async () => {
    const counts = { found: 0, indexed: 0 };
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const [slow, quick] = [await read("slow", { filters: filter }), await read("quick", { filters: filter })];
        expect([quick.titles, quick.total]).toEqual([slow.titles, slow.total]);
        expect(slow.sent.filter(({ text }) => text.includes("@>"))).toEqual([]);
        counts.found += slow.titles.length;
        counts.indexed += quick.sent.some(({ text }) => text.includes("@>")) ? slow.titles.length : 0;
      }),
      { numRuns: RUNS.queries / 2 },
    );
    expect(counts.found).toBeGreaterThan(200);
    expect(counts.indexed).toBeGreaterThan(20);
  });

  test("the index finds the documents", async () => {
    await database.script(`
      insert into documents select 'n' || n, 'api::quick.quick' from generate_series(1, 3000) n;
      insert into quicks (document_id, created_at, updated_at, published_at, title, one, list, sections)
      select 'n' || n, now(), now(), now(), 'n' || n, one, list, sections from generate_series(1, 3000) n,
        lateral (select json_build_object('text', 't' || n) as one) as entry,
        lateral (select json_build_array(one) as list) as entries,
        lateral (select json_build_array(json_build_object('__component', 'shared.part', 'text', 't' || n, 'leaves',
          json_build_array(json_build_object('label', repeat('wide', 500) || n)))) as sections) as zone;
      analyze`);
    const wanted: readonly [string, object][] = [
      ["one", { one: { text: "t2999" } }],
      ["list", { list: { text: { $in: ["t2999", "t5000"] } } }],
      ["sections", { sections: { "shared.part": { text: { $eq: "t2999" } } } }],
      ["sections", { sections: { "shared.part": { leaves: { label: `${"wide".repeat(500)}2999` } } } }],
      ["one", { title: "n2999", $or: [{ one: { text: "t2999" } }, { one: { text: "t1" } }] }],
    ];
    for (const [name, filter] of wanted) {
      const { titles, total, sent } = await read("quick", { filters: filter, pagination: { limit: 25 } });
      expect([titles, total]).toEqual([["n2999"], 1]);
      const asked = sent.filter(({ text }) => !text.startsWith("explain") && text.includes("@>"));
      // The page and the total.
      expect(asked).toHaveLength(2);
      for (const { text, values } of asked) {
        const plan = await database.rows(`explain ${text}`, values);
        expect(plan.flat().join("\n")).toContain(`Bitmap Index Scan on quicks_${name}_entries_idx`);
      }
    }
  });
});
