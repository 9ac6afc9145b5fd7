/** The code that is generated from any attributes compiles under strict options: many of them, in one program. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderProject } from "../support/render-project.ts";
import { isThorough } from "../support/thorough.ts";
import { typeCheck, workspace, writeFiles } from "../support/workspace.ts";

const ATTRIBUTES = isThorough ? 6000 : 400;
/** Attributes of one content type or component. */
const TOGETHER = 20;

/** A default of each scalar type; null is one, too. */
const defaults = {
  string: "a",
  text: "a",
  richtext: "a",
  email: "a@example.com",
  password: "secret12",
  uid: "a",
  enumeration: "one",
  integer: 1,
  biginteger: "1",
  float: 1.5,
  decimal: 1.25,
  date: "2025-01-31",
  time: "09:30:00.000",
  datetime: "now",
  timestamp: "2025-01-31T09:30:00.000Z",
  boolean: false,
  json: { a: [null, 1, "b"] },
  blocks: [],
};

const limits: Readonly<Record<string, object>> = {
  string: { minLength: 1, maxLength: 9, regex: "^[a-z]*$" },
  uid: { regex: "^[a-z]*$" },
  text: { minLength: 1 },
  integer: { min: 0, max: 9 },
  biginteger: { min: "1", max: "9" },
  float: { min: 0.5 },
  decimal: { max: 9.5 },
};

type Attribute = Readonly<Record<string, unknown>>;

const scalars = Object.entries(defaults).flatMap(([type, value]): Attribute[] =>
  [{}, { default: null }, { default: value }, limits[type] ?? {}].map((more) => ({
    type,
    ...(type === "enumeration" ? { enum: ["one", "two words", "3rd"] } : {}),
    ...more,
  })),
);

const target = "api::thing.thing";
const structured: readonly Attribute[] = [
  ...[true, false].flatMap((several): Attribute[] => [
    { type: "media", multiple: several },
    { type: "media", multiple: several, allowedTypes: ["images", "files"] },
    { type: "component", component: "inner.part", repeatable: several },
    { type: "component", component: "inner.part", repeatable: several, min: 1, max: 3 },
  ]),
  { type: "dynamiczone", components: ["inner.part", "inner.other"] },
  { type: "dynamiczone", components: ["inner.other"], min: 1 },
  ...["oneToOne", "oneToMany", "manyToOne", "manyToMany"].map((relation) => ({ type: "relation", relation, target })),
  ...["morphToOne", "morphToMany"].map((relation) => ({ type: "relation", relation })),
];

/** A component has no zones, and no relations that are stored in tables of their own kind. */
const fitsComponent = ({ type, relation }: Attribute): boolean =>
  type !== "dynamiczone" && (type !== "relation" || relation === "oneToOne" || relation === "oneToMany");

const flags = fc.record(
  {
    required: fc.boolean(),
    private: fc.boolean(),
    unique: fc.constantFrom(false, false, true),
    writable: fc.constantFrom(true, true, false),
    searchable: fc.boolean(),
    pluginOptions: fc.boolean().map((localized) => ({ i18n: { localized } })),
    conditions: fc.constant({ visible: { "==": [{ var: "a0" }, "x"] } }),
  },
  { requiredKeys: [] },
);

const attributesOf = (kinds: readonly Attribute[]) =>
  fc.tuple(fc.constantFrom(...kinds), flags).map(([kind, given]): Attribute => {
    // Only scalars can be unique.
    const { unique, ...rest } = given;
    return { ...kind, ...rest, ...(Object.hasOwn(defaults, String(kind["type"])) ? { unique } : {}) };
  });

const groups = (
  kinds: readonly Attribute[],
  count: number,
  seed: number,
): readonly Readonly<Record<string, Attribute>>[] =>
  fc
    .sample(fc.array(attributesOf(kinds), { minLength: TOGETHER, maxLength: TOGETHER }), { numRuns: count, seed })
    .map((list) => Object.fromEntries(list.map((attribute, index) => [`a${index}`, attribute])));

const component = (attributes: object) => ({
  collectionName: "components",
  info: { displayName: "Part" },
  attributes,
});

const contentType = (name: string, options: { drafts: boolean; localized: boolean }, attributes: object) => ({
  kind: "collectionType",
  collectionName: `${name}_rows`.replaceAll("-", "_"),
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: options.drafts },
  pluginOptions: { i18n: { localized: options.localized } },
  attributes,
});

const write = (root: string, file: string, value: unknown): void => {
  const full = path.join(root, "content-types", file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, JSON.stringify(value));
};

test("the code of any attributes compiles under strict options", { timeout: 300_000 }, async () => {
  const seed = isThorough ? Math.trunc(Math.random() * 2 ** 31) : 20_261;
  const root = workspace();
  for (const name of ["part", "other"]) {
    write(root, `components/inner/${name}.json`, component({ text: { type: "string", required: true } }));
  }
  write(root, "thing/schema.json", contentType("thing", { drafts: true, localized: true }, {}));
  const half = ATTRIBUTES / TOGETHER / 2;
  const all = [...scalars, ...structured];
  groups(all, half, seed).forEach((attributes, index) => {
    const options = { drafts: index % 2 === 0, localized: index % 3 === 0 };
    write(root, `type-${index}/schema.json`, contentType(`type-${index}`, options, attributes));
  });
  groups(all.filter(fitsComponent), half, seed + 1).forEach((attributes, index) => {
    write(root, `components/outer/box-${index}.json`, component(attributes));
  });
  writeFiles(path.join(root, "generated"), await renderProject(root));
  expect(await typeCheck(root), `seed ${seed}`).toEqual({ code: 0, stdout: "", stderr: "" });
});
