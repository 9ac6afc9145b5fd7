/** Every scalar type becomes every other: each value is there afterwards and on the way back, or the change is refused. */
import { expect, onTestFinished, test } from "vitest";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { component, migrationLab, schema } from "../../support/migration-lab.ts";

const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };
const labOn = (kind: keyof typeof databases) => migrationLab(databases[kind], onTestFinished);

/** A value of each type as text, and as JSON holds it. */
const samples: Readonly<Record<string, readonly [text: string, json: unknown]>> = {
  string: ["a text", "a text"],
  text: ["long", "long"],
  richtext: ["# rich", "# rich"],
  email: ["a@b.example", "a@b.example"],
  password: ["$2b$hash", "$2b$hash"],
  uid: ["a-slug", "a-slug"],
  enumeration: ["news", "news"],
  integer: ["42", 42],
  biginteger: ["43", "43"],
  float: ["44", 44],
  decimal: ["45.00", 45],
  date: ["2026-01-02", "2026-01-02"],
  time: ["10:11:12.5", "10:11:12.500"],
  datetime: ["2026-01-02 03:04:05.678", "2026-01-02T03:04:05.678Z"],
  timestamp: ["2026-01-03 03:04:05.678", "2026-01-03T03:04:05.678Z"],
  boolean: ["true", true],
  json: ['{"a":[1]}', { a: [1] }],
  blocks: ["[]", []],
};
const types = Object.keys(samples);
/** Everything that may come to stand in an enumeration. */
const values = [
  ...new Set(
    Object.values(samples).flatMap(([text, json]) => [text, typeof json === "string" ? json : JSON.stringify(json)]),
  ),
];

interface Change {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}
const all: readonly Change[] = types.flatMap((from) =>
  types.filter((to) => to !== from).map((to) => ({ name: `${from}_${to}`, from, to })),
);
const attributes = (changes: readonly Change[], side: "from" | "to") =>
  Object.fromEntries(
    changes.map((change) => {
      const type = change[side];
      return [change.name, { type, ...(type === "enumeration" ? { enum: values } : {}) }];
    }),
  );

/** What loses something even of these values: the time of day, the date. */
const partly = new Set(["datetime_date", "timestamp_date", "datetime_time", "timestamp_time"]);

/** The same number, truth or text, however it is written: that of 45 is among those of 45.00. */
const says = (before: string, after: string): boolean =>
  before === after ||
  (after !== "" && (Number(before) === Number(after) || after.includes(before) || before.includes(after)));

/** The attributes in the flags that a refusal prints. */
const read = (refusal: string, prefix: string) => {
  const named = (verb: string) =>
    [...refusal.matchAll(new RegExp(`--allow ${verb}:${prefix}\\.(\\S+)`, "g"))].map(([, name]) => String(name));
  return { narrow: named("narrow"), drop: new Set(named("drop")) };
};

const box = (of: object) => ({
  "thing/schema.json": schema("thing", { box: { type: "component", component: "shared.box" } }),
  "components/shared/box.json": component(of),
});

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const thing = (of: object) => ({ "thing/schema.json": schema("thing", of) });

test.each(bothDatabases)("columns of every type become every other on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(thing(attributes(all, "from")));
  await lab.up();
  const names = all.map(({ name }) => `"${name}"`);
  await lab.run(`insert into documents values ('d1', 'api::thing.thing');
    insert into things (document_id, created_at, updated_at, published_at, ${names.join(", ")})
    values ('d1', now(), now(), now(), ${all.map(({ from }) => `'${samples[from]?.[0]}'`).join(", ")})`);
  const texts = async () => {
    const [row] = await lab.rows(`select ${names.map((name) => `${name}::text`).join(", ")} from things`);
    return new Map(all.map(({ name }, index) => [name, String(row?.[index])]));
  };
  const before = await texts();

  const { narrow, drop } = read(String(await lab.change(thing(attributes(all, "to"))).catch(String)), "things");
  const kept = all.filter(({ name }) => !drop.has(name));
  // What is refused stays as it was.
  const next = { ...attributes(all, "from"), ...attributes(kept, "to") };
  await lab.change(
    thing(next),
    narrow.map((name) => `narrow:things.${name}`),
  );
  await lab.up();
  const after = await texts();
  expect(kept.filter(({ name }) => !says(before.get(name) ?? "", after.get(name) ?? ""))).toEqual([]);
  expect(all.filter(({ name }) => drop.has(name) && before.get(name) !== after.get(name))).toEqual([]);
  await lab.down();
  const again = await texts();
  const lost = all.filter(({ name }) => again.get(name) !== before.get(name)).map(({ name }) => name);
  expect(lost.filter((name) => !partly.has(name))).toEqual([]);
  // Texts take everything.
  expect(kept.filter(({ to }) => to === "text")).toHaveLength(types.length - 1);
});

test.each(bothDatabases)("fields of components of every type become every other on %s", async (kind) => {
  const lab = await labOn(kind);
  await lab.change(box(attributes(all, "from")));
  await lab.up();
  const before = Object.fromEntries([["id", 1], ...all.map(({ name, from }) => [name, samples[from]?.[1]])]);
  await lab.run(`insert into documents values ('d1', 'api::thing.thing');
    insert into things (document_id, created_at, updated_at, published_at, box)
    values ('d1', now(), now(), now(), '${JSON.stringify(before)}')`);
  const stored = async (): Promise<Record<string, unknown>> => {
    const [row] = await lab.rows("select box from things");
    return JSON.parse(String(row?.[0]));
  };

  const { drop } = read(String(await lab.change(box(attributes(all, "to"))).catch(String)), "shared\\.box");
  const kept = all.filter(({ name }) => !drop.has(name));
  await lab.change(box({ ...attributes(all, "from"), ...attributes(kept, "to") }));
  await lab.up();
  const after = await stored();
  expect(kept.filter(({ name }) => !says(text(before[name]), text(after[name])))).toEqual([]);
  await lab.down();
  expect(await stored()).toEqual(before);
  expect(kept.filter(({ to }) => to === "text")).toHaveLength(types.length - 1);
});
