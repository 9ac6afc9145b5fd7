/**
 * Every option of attributes comes, goes and changes, in columns, in components and in zones: values are compared on the
 * way up, down and up again, and what goes is what the header of that way names, no more and no less.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lackingIn, lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const database = await freshDatabase("postgres");

type Attribute = Readonly<Record<string, unknown>>;

interface Case {
  readonly from: Attribute;
  readonly to: Attribute;
  /** As JSON has it before and after, and on the way back. */
  readonly value: unknown;
  readonly changed: unknown;
  readonly back: unknown;
}

const text: Attribute = { type: "string" };
const number: Attribute = { type: "integer" };
const state = (values: readonly string[], more: object = {}): Attribute => ({
  type: "enumeration",
  enum: values,
  ...more,
});
const media: Attribute = { type: "media" };
const leaves: Attribute = { type: "component", component: "shared.leaf", repeatable: true };
const zone = (...components: readonly string[]): Attribute => ({ type: "dynamiczone", components });
const tag = (relation: string): Attribute => ({ type: "relation", relation, target: "api::tag.tag" });
const leaf = { id: 5, label: "leaf" };
const [first, second] = [
  { __component: "shared.leaf", ...leaf },
  { __component: "shared.note", id: 6, label: "note" },
];

const kept = (from: Attribute, to: Attribute, value: unknown): Case => ({
  from,
  to,
  value,
  changed: value,
  back: value,
});

/** What is asked of an attribute beyond its type, with what it is in one case and in the other. */
const asked: Readonly<Record<string, readonly [Attribute, object, object, unknown]>> = {
  required: [text, {}, { required: true }, "t"],
  required_default: [text, {}, { required: true, default: "d" }, "t"],
  unique: [text, {}, { unique: true }, "t"],
  unique_number: [number, {}, { unique: true }, 5],
  default: [text, {}, { default: "d" }, "t"],
  other_default: [number, { default: 1 }, { default: 2 }, 5],
  truth: [{ type: "boolean" }, {}, { default: true }, false],
  min_max: [number, {}, { min: 1, max: 9 }, 12],
  decimal_min: [{ type: "decimal" }, { min: 0 }, { min: 50 }, 1.25],
  max_length: [text, { maxLength: 100 }, { minLength: 2, maxLength: 3 }, "longer than that"],
  text_length: [{ type: "text" }, {}, { maxLength: 3 }, "longer than that"],
  regex: [text, {}, { regex: "^[a-z]+$" }, "NO 1"],
  private: [text, {}, { private: true }, "t"],
  writable: [text, {}, { writable: false }, "t"],
  visible: [text, {}, { visible: false, configurable: false }, "t"],
  condition: [text, {}, { conditions: { visible: { "==": [{ var: "min_max" }, 1] } } }, "t"],
  localized: [
    text,
    { pluginOptions: { i18n: { localized: false } } },
    { pluginOptions: { i18n: { localized: true } } },
    "t",
  ],
  more_values: [{ type: "enumeration" }, { enum: ["a", "b"] }, { enum: ["c", "b", "a"] }, "a"],
  allowed_types: [media, { allowedTypes: ["images"] }, { allowedTypes: ["videos", "files"] }, 1],
  allowed_of_many: [{ ...media, multiple: true }, { allowedTypes: ["images"] }, {}, [2, 1]],
  how_many: [leaves, {}, { min: 3, max: 4 }, [leaf]],
  required_part: [{ type: "component", component: "shared.leaf" }, {}, { required: true }, leaf],
  required_file: [media, {}, { required: true }, 1],
  one_of_one: [tag("oneToOne"), {}, { required: true }, "t1"],
};

/** Options that values take another form by. */
const formed: Readonly<Record<string, Case>> = {
  new_name: {
    from: state(["a", "b"]),
    to: state(["z", "b"], { renamedValues: { z: "a" } }),
    value: "a",
    changed: "z",
    back: "a",
  },
  traded: {
    from: state(["a", "b"]),
    to: state(["a", "b"], { renamedValues: { a: "b", b: "a" } }),
    value: "a",
    changed: "b",
    back: "a",
  },
  files: { from: media, to: { ...media, multiple: true }, value: 2, changed: [2], back: 2 },
  file: { from: { ...media, multiple: true }, to: media, value: [2, 1], changed: 2, back: [2] },
  parts: {
    from: { type: "component", component: "shared.leaf" },
    to: leaves,
    value: leaf,
    changed: [leaf],
    back: leaf,
  },
  part: {
    from: leaves,
    to: { type: "component", component: "shared.leaf" },
    value: [leaf, { id: 7, label: "x" }],
    changed: leaf,
    back: [leaf],
  },
  many: { from: tag("oneToOne"), to: tag("oneToMany"), value: "t2", changed: ["t2"], back: "t2" },
  one: { from: tag("oneToMany"), to: tag("oneToOne"), value: ["t2", "t1"], changed: "t2", back: ["t2"] },
};
const zones: Readonly<Record<string, Case>> = {
  zone_limits: kept(zone("shared.leaf"), { ...zone("shared.leaf"), min: 2, max: 3 }, [first]),
  zone_less: {
    from: zone("shared.leaf", "shared.note"),
    to: zone("shared.leaf"),
    value: [second, first],
    changed: [first],
    back: [first],
  },
  zone_more: kept(zone("shared.leaf"), zone("shared.note", "shared.leaf"), [first]),
};

const cases = new Map<string, Case>([
  ...Object.entries(asked).flatMap(([name, [attribute, one, other, value]]): [string, Case][] => {
    const [from, to] = [
      { ...attribute, ...one },
      { ...attribute, ...other },
    ];
    return [
      [`${name}_comes`, kept(from, to, value)],
      [`${name}_goes`, kept(to, from, value)],
    ];
  }),
  ...Object.entries(formed),
  ...Object.entries(zones),
]);
/** Components hold no zones. */
const fields = [...cases].filter(([name]) => !Object.hasOwn(zones, name));
const losing = ["file", "part", "one"];
const losingBack = ["files", "parts", "many"];

const attributes = (of: readonly (readonly [string, Case])[], end: "from" | "to") =>
  Object.fromEntries(of.map(([name, each]) => [name, each[end]]));
const files = (end: "from" | "to") => ({
  "thing/schema.json": schema(
    "thing",
    {
      ...attributes([...cases], end),
      box: { type: "component", component: "shared.box" },
      boxes: zone("shared.box"),
    },
    { pluginOptions: { i18n: { localized: true } } },
  ),
  "tag/schema.json": schema("tag", { label: text }),
  "components/shared/box.json": component(attributes(fields, end)),
  "components/shared/leaf.json": component({ label: text }),
  "components/shared/note.json": component({ label: text }),
});

/** How a value of a type stands in its row or beside it: the SQL that reads it as JSON, and what writes it. */
const stored = (name: string, { type, multiple, relation }: Attribute) => {
  const isMany = multiple === true || String(relation).endsWith("ToMany");
  if (type !== "media" && type !== "relation") return { column: name, link: undefined };
  const target = type === "media" ? "file_id" : "document_id";
  if (!isMany) return { column: type === "media" ? `${name}_id` : `${name}_document_id`, link: undefined };
  return { column: target, link: `things_${name}` };
};

const read = async (lab: MigrationLab, end: "from" | "to"): Promise<ReadonlyMap<string, unknown>> => {
  const parts = [...cases].map(([name, each]) => {
    const { column, link } = stored(name, each[end]);
    return `'${name}', ${link === undefined ? `"${column}"` : `(select json_agg("${column}" order by position) from "${link}")`}`;
  });
  // A function takes no more than a hundred arguments.
  const lots = Array.from({ length: Math.ceil(parts.length / 40) }, (_, at) => parts.slice(at * 40, at * 40 + 40));
  const [row = []] = await lab.rows(
    `select ${lots.map((each) => `json_build_object(${each.join(", ")})`).join(", ")}, box, boxes -> 0 from things where locale = 'en'`,
  );
  const objects = row.map((each) => Object(JSON.parse(String(each))));
  const [columns, [box, entry]] = [objects.slice(0, -2), objects.slice(-2)];
  const found = new Map<string, unknown>();
  for (const each of columns) for (const [name, value] of Object.entries(each)) found.set(`things.${name}`, value);
  for (const [name] of fields) {
    found.set(`shared.box.${name}`, entry[name]);
    expect([name, box[name]], "the same in a zone").toEqual([name, entry[name]]);
  }
  return found;
};

const expected = (key: "value" | "changed" | "back"): ReadonlyMap<string, unknown> =>
  new Map([
    ...[...cases].map(([name, each]) => [`things.${name}`, each[key]] as const),
    ...fields.map(([name, each]) => [`shared.box.${name}`, each[key]] as const),
  ]);

const literal = (value: unknown): string => `'${typeof value === "object" ? JSON.stringify(value) : String(value)}'`;

const insert = async (lab: MigrationLab): Promise<void> => {
  const box = JSON.stringify({ id: 1, ...Object.fromEntries(fields.map(([name, { value }]) => [name, value])) });
  const sets: string[] = [`box = '${box}'`, `boxes = '[${box.replace("{", '{"__component":"shared.box",')}]'`];
  const links: string[] = [];
  for (const [name, { from, value }] of cases) {
    const { column, link } = stored(name, from);
    if (link === undefined) sets.push(`"${column}" = ${literal(value)}`);
    else
      for (const [index, each] of [value].flat().entries())
        links.push(
          `insert into "${link}" (version_id, "${column}", position) values (1, ${literal(each)}, ${index + 1});`,
        );
  }
  await lab.run(`truncate files restart identity cascade;
    insert into files (document_id, name, hash, mime, size, url, provider, created_at, updated_at)
      select 'f' || n, 'a.png', 'a', 'image/png', 1, '/a.png', 'local', now(), now() from generate_series(1, 2) as n;
    insert into documents values ('d1', 'api::thing.thing'), ('t1', 'api::tag.tag'), ('t2', 'api::tag.tag');
    insert into things (id, document_id, locale, created_at, updated_at, published_at)
      values (1, 'd1', 'en', now(), now(), now()), (2, 'd1', 'de', now(), now(), now());
    update things set ${sets.join(", ")} where id = 1; ${links.join("\n")}`);
};

/** The attributes that a header names, whatever else it says of them. */
const placesIn = (texts: readonly string[]): readonly string[] => {
  const names = texts.flatMap((each) => [...each.matchAll(/(?:things[._]|shared\.box\.)\w+/g)].map(([place]) => place));
  return [...new Set(names.map((each) => each.replace("things_", "things.").replace(/_(document_)?id$/, "")))].sort();
};
const both = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`things.${name}`, `shared.box.${name}`]).sort();

test("options come, go and change, and values stay where the header does not name them", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files("from"));
  await lab.up();
  await insert(lab);
  expect(await read(lab, "from")).toEqual(expected("value"));

  const refusal = String(await lab.change(files("to")).catch(String));
  const flags = [...refusal.matchAll(/^ +to allow it: --allow (\S+)/gm)].map(([, flag]) => String(flag));
  expect([...new Set(flags)].sort()).toEqual(
    [
      ...losing.flatMap((name) => [`narrow:thing.${name}`, `narrow:shared.box.${name}`]),
      "drop:thing.zone_less.shared.note",
      "narrow:thing.localized_goes",
    ].sort(),
  );
  const name = String(await lab.change(files("to"), flags));
  const [up, down] = ["up.sql", "down.sql"].map((file) => readFileSync(path.join(lab.migrations, name, file), "utf8"));
  expect(placesIn(lossesOf(up ?? ""))).toEqual([...both(losing), "things.localized_goes", "things.zone_less"].sort());
  expect(placesIn(lossesOf(down ?? ""))).toEqual(
    [...both(losingBack), "things.localized_comes", "things.zone_more"].sort(),
  );
  const lacking = ["required", "required_default", "required_part", "required_file", "one_of_one"];
  expect(placesIn(lackingIn(up ?? ""))).toEqual(both(lacking.map((each) => `${each}_comes`)));

  await lab.up();
  expect(await read(lab, "to")).toEqual(expected("changed"));
  await lab.down();
  expect(await read(lab, "from")).toEqual(expected("back"));
  await lab.up();
  expect(await read(lab, "to")).toEqual(expected("changed"));
});
