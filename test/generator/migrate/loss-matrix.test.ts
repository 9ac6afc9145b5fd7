/**
 * Attributes of every kind become every other, in columns and in components: what is not there afterwards is named by the
 * header of the direction that discards it, what is not named is there, and columns and components follow one rule.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lossesOf } from "../../../generator/migrate/report/write-sql.ts";
import { freshDatabase } from "../../support/database.ts";
import { component, migrationLab, type MigrationLab, schema } from "../../support/migration-lab.ts";

const database = await freshDatabase("postgres");

interface Kind {
  readonly attribute: object;
  /** As columns take it. */
  readonly text: string;
  /** As components keep it. */
  readonly json: unknown;
}

const scalar = (type: string, text: string, json: unknown = text): readonly [string, Kind] => [
  type,
  { attribute: { type }, text, json },
];
const relation = (target: string) => ({ type: "relation", relation: "oneToOne", target: `api::${target}.${target}` });
const leaf = { id: 5, label: "leaf" };
const entry = { __component: "shared.leaf", ...leaf };
const structured = (attribute: object, value: unknown): Kind => ({
  attribute,
  text: typeof value === "string" ? value : JSON.stringify(value),
  json: value,
});

const scalars: readonly (readonly [string, Kind])[] = [
  scalar("string", "a text"),
  scalar("text", "long"),
  scalar("richtext", "# rich"),
  scalar("email", "a@b.example"),
  scalar("password", "$2b$hash"),
  scalar("uid", "a-slug"),
  scalar("enumeration", "news"),
  scalar("integer", "42", 42),
  scalar("biginteger", "43"),
  scalar("float", "44", 44),
  scalar("decimal", "45.00", 45),
  scalar("date", "2026-01-02"),
  scalar("time", "10:11:12.500"),
  scalar("datetime", "2026-01-02T03:04:05.678Z"),
  scalar("timestamp", "2026-01-03T03:04:05.678Z"),
  scalar("boolean", "true", true),
  scalar("json", '{"a":[1]}', { a: [1] }),
  scalar("blocks", "[]", []),
];
const others: readonly (readonly [string, Kind])[] = [
  ["component", structured({ type: "component", component: "shared.leaf" }, leaf)],
  ["repeatable", structured({ type: "component", component: "shared.leaf", repeatable: true }, [leaf, leaf])],
  ["zone", structured({ type: "dynamiczone", components: ["shared.leaf"] }, [entry, entry])],
  ["one", structured(relation("other"), "o1")],
  ["elsewhere", structured(relation("third"), "t1")],
];
/** In types they have tables of links, which have a matrix of their own. */
const inComponents: readonly (readonly [string, Kind])[] = [
  ["file", structured({ type: "media" }, 1)],
  ["files", structured({ type: "media", multiple: true }, [1, 2])],
  ["many", structured({ ...relation("other"), relation: "oneToMany" }, ["o1", "o2"])],
  ["any", structured({ type: "relation", relation: "morphToOne" }, { documentId: "o1", __type: "api::other.other" })],
  [
    "anyOfMany",
    structured({ type: "relation", relation: "morphToMany" }, [{ documentId: "o1", __type: "api::other.other" }]),
  ],
];
const onlyInComponents = new Set(inComponents.map(([name]) => name));
const kinds = new Map<string, Kind>([...scalars, ...others, ...inComponents]);
const plain = new Set(scalars.map(([name]) => name));
/** Of the plain ones, those that structured ones are tried against. */
const partners = new Set(["string", "richtext", "integer", "json", "blocks"]);
const values = [...kinds.values()].map(({ text }) => text);

interface Change {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}
const isTried = (from: string, to: string): boolean =>
  from !== to && (plain.has(from) ? plain.has(to) || partners.has(from) : !plain.has(to) || partners.has(to));
/** What leads to documents of any type leads to none of a third one. */
const isElsewhere = (from: string, to: string): boolean => from.startsWith("any") && to === "elsewhere";
const tried: readonly Change[] = [...kinds.keys()].flatMap((from) =>
  [...kinds.keys()]
    .filter((to) => isTried(from, to) && !isElsewhere(from, to))
    .map((to) => ({ name: `${from}_${to}`, from, to })),
);
const all = tried.filter(({ from, to }) => !onlyInComponents.has(from) && !onlyInComponents.has(to));
/** Components hold no zones. */
const inside = tried.filter(({ from, to }) => from !== "zone" && to !== "zone");

type End = "from" | "to";
const kindOf = (change: Change, end: End): Kind => {
  const kind = kinds.get(change[end]);
  if (!kind) throw new Error(`no kind ${change[end]}`);
  return kind;
};
const attributes = (changes: readonly Change[], end: End): Record<string, object> =>
  Object.fromEntries(
    changes.map((change) => [
      change.name,
      { ...kindOf(change, end).attribute, ...(change[end] === "enumeration" ? { enum: values } : {}) },
    ]),
  );

const files = (end: End) => ({
  "thing/schema.json": schema("thing", {
    ...attributes(all, end),
    box: { type: "component", component: "shared.box" },
    zone: { type: "dynamiczone", components: ["shared.box"] },
  }),
  "other/schema.json": schema("other", { label: { type: "string" } }),
  "third/schema.json": schema("third", { label: { type: "string" } }),
  "components/shared/box.json": component(attributes(inside, end)),
  "components/shared/leaf.json": component({ label: { type: "string" } }),
});

/** The column of a kind is named after what it holds. */
const columnOf = ({ name, ...change }: Change, end: End): string =>
  change[end] === "one" || change[end] === "elsewhere" ? `${name}_document_id` : name;

const INSTANTS = new Set(["datetime", "timestamp"]);

/** A value as text that is the same for columns and JSON. */
const shown = (change: Change, end: End): string => {
  const column = `"${columnOf(change, end)}"`;
  if (INSTANTS.has(change[end])) return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (change[end] === "time") return `to_char(${column}::interval, 'HH24:MI:SS.MS')`;
  return `${column}::text`;
};

type Content = ReadonlyMap<string, string | undefined>;

const textOf = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "string") return JSON.stringify(value);
  return /^[[{]/.test(value) ? JSON.stringify(JSON.parse(value)) : value;
};

/** Every value by its place as headers name it. */
const contentOf = async (lab: MigrationLab, end: End): Promise<Content> => {
  const columns = all.map((change) => shown(change, end));
  const [row = []] = await lab.rows(`select ${columns.join(", ")} from things`);
  const [jsonRow = []] = await lab.rows("select box, zone -> 0 from things");
  const [box, entryOfZone] = jsonRow.map((value) => Object(JSON.parse(String(value))));
  const found = new Map<string, string | undefined>();
  for (const [index, { name }] of all.entries()) found.set(`things.${name}`, textOf(row[index]));
  for (const { name } of inside) {
    found.set(`shared.box.${name}`, textOf(box[name]));
    expect(entryOfZone[name], `the same in a zone: ${name}`).toEqual(box[name]);
  }
  return found;
};

/** Writes a sample of the kind at this end wherever `isMeant`. */
const fill = async (lab: MigrationLab, end: End, isMeant: (place: string) => boolean): Promise<void> => {
  const sets = all
    .filter(({ name }) => isMeant(`things.${name}`))
    .map((change) => `"${columnOf(change, end)}" = '${kindOf(change, end).text}'`);
  const [row = []] = await lab.rows("select box from things");
  const stored = Object(JSON.parse(String(row[0] ?? '{"id":1}')));
  const fields = inside.filter(({ name }) => isMeant(`shared.box.${name}`));
  for (const change of fields) stored[change.name] = kindOf(change, end).json;
  const box = JSON.stringify(stored);
  const zone = JSON.stringify([{ __component: "shared.box", ...stored }]);
  await lab.run(`update things set ${[...sets, `box = '${box}'`, `zone = '${zone}'`].join(", ")}`);
};

const leaves = (text: string): number => text.match(/"label":"leaf"/g)?.length ?? 0;

/** The documents that links lead to. */
const linked = (text: string): readonly string[] => text.match(/\bo\d\b/g) ?? [];

/** The same number, truth, text or entries, however they are written. */
const says = (before: string, after: string | undefined): boolean => {
  if (after === undefined || after === "") return false;
  if (before === after || Number(before) === Number(after)) return true;
  if (!/^[[{]/.test(before)) return after.includes(before);
  if (linked(before).length > 0) return linked(before).every((id) => linked(after).includes(id));
  return leaves(before) > 0 && leaves(before) === leaves(after);
};

/** The places that a header names: by attribute, or by the column of a relation. */
const named = (losses: readonly string[]): ReadonlySet<string> =>
  new Set(
    losses.flatMap((loss) =>
      [...loss.matchAll(/(?:things|shared\.box)\.\w+/g)].map(([each]) => each.replace("_document_id", "")),
    ),
  );

const headerOf = (lab: MigrationLab, name: string, file: string) =>
  named(lossesOf(readFileSync(path.join(lab.migrations, name, file), "utf8")));

/** Places whose value is not there any more, or says something else. */
const lost = (before: Content, after: Content): readonly string[] =>
  [...before].filter(([place, value]) => value !== undefined && !says(value, after.get(place))).map(([place]) => place);

const flagsIn = (refusal: string): string[] => [...refusal.matchAll(/--allow (\S+)/g)].map(([, flag]) => String(flag));

test("what a change of kind discards is named in both directions", async () => {
  const lab = await migrationLab(database, onTestFinished);
  await lab.change(files("from"));
  await lab.up();
  await lab.run(`insert into documents values ('d1', 'api::thing.thing'), ('o1', 'api::other.other'), ('t1', 'api::third.third');
    insert into things (document_id, created_at, updated_at, published_at) values ('d1', now(), now(), now())`);
  await fill(lab, "from", () => true);
  const original = await contentOf(lab, "from");
  expect([...original].filter(([, value]) => value === undefined)).toEqual([]);

  const refusal = String(await lab.change(files("to")).catch(String));
  const name = (await lab.change(files("to"), flagsIn(refusal))) ?? "";
  await lab.up();
  const changed = await contentOf(lab, "to");
  const upLosses = headerOf(lab, name, "up.sql");
  expect(lost(original, changed).filter((place) => !upLosses.has(place))).toEqual([]);
  // Links name the types of documents where these may be any, and nowhere else.
  const links = new Map([
    ["one", false],
    ["many", false],
    ["any", true],
    ["anyOfMany", true],
  ]);
  for (const { name: field, to } of inside) {
    const value = changed.get(`shared.box.${field}`);
    if (links.has(to) && value !== undefined) expect([field, value.includes("__type")]).toEqual([field, links.get(to)]);
  }
  // What is not named is there; of what is named something goes, or might with another value.
  const gone = [...changed].filter(([, value]) => value === undefined).map(([place]) => place);
  expect(gone.filter((place) => !refusal.includes(`--allow drop:${place.replace(/^things\./, "thing.")}`))).toEqual([]);
  // One rule for columns and for components.
  const both = inside.filter(({ from, to }) => plain.has(from) && plain.has(to)).map((each) => each.name);
  expect(both.filter((each) => upLosses.has(`things.${each}`) !== upLosses.has(`shared.box.${each}`))).toEqual([]);
  const differs = (each: string): boolean => {
    const [column, field] = [changed.get(`things.${each}`), changed.get(`shared.box.${each}`)];
    return column !== field && Number(column) !== Number(field);
  };
  expect(both.filter(differs)).toEqual([]);

  await fill(lab, "to", (place) => changed.get(place) === undefined);
  const full = await contentOf(lab, "to");
  await lab.down();
  const back = await contentOf(lab, "from");
  const downLosses = headerOf(lab, name, "down.sql");
  expect(lost(full, back).filter((place) => !downLosses.has(place))).toEqual([]);
  // Where nothing was lost on either way, everything is as it was.
  const kept = [...original].filter(([place]) => !upLosses.has(place) && !downLosses.has(place));
  expect(kept.filter(([place, value]) => back.get(place) !== value)).toEqual([]);
  expect(kept.length).toBeGreaterThan(120);
});
