/** An attribute of each kind, a value that it takes, and changes of its line in `validator.ts` that refuse the value. */
import type { Attribute } from "../../../generator/model/model.ts";
import type { ScalarType } from "../../../runtime/base/scalar-form.ts";
import type { RelationKind } from "../../../runtime/schema/field.ts";

/** Replaces a part of a line. */
type Change = readonly [from: string | RegExp, to: string];

export interface AttributeCase {
  readonly attribute: object;
  readonly value: unknown;
  readonly changes: readonly Change[];
  /** Who may write it, if not every client: application code, or REST and code. */
  readonly writers?: "code" | "rest";
}

export const FILE = 1;
export const TARGET = "target00000000000000000a";
const target = "api::target.target";
const instant = "2025-01-31T09:30:00.000Z";
const paragraph = { type: "paragraph", children: [{ type: "text", text: "a" }] };
const texts = { minLength: 2, maxLength: 80, regex: "^[a-z]+$" };
const textChanges: readonly Change[] = [
  [".min(2)", ".min(4)"],
  [".max(80)", ".max(2)"],
  ["^[a-z]+$", "^[0-9]+$"],
];
const ranges = { min: 1, max: 9 };
const rangeChanges: readonly Change[] = [
  [".min(1)", ".min(6)"],
  [".max(9)", ".max(4)"],
];

const scalarCases: Readonly<Record<ScalarType, AttributeCase>> = {
  string: { attribute: { ...texts, required: true }, value: "abc", changes: textChanges },
  text: { attribute: texts, value: "abc", changes: textChanges },
  richtext: { attribute: texts, value: "abc", changes: textChanges },
  email: {
    attribute: { minLength: 6, required: true },
    value: "a@example.com",
    changes: [
      ["email()", "z.url()"],
      [".min(6)", ".min(20)"],
      [".max(255)", ".max(5)"],
    ],
  },
  password: {
    attribute: { minLength: 8 },
    value: "Passw0rd!",
    changes: [
      ["password()", "z.url()"],
      [".min(8)", ".min(20)"],
    ],
  },
  uid: {
    attribute: {},
    value: "abc",
    changes: [
      ["slug()", "z.url()"],
      [".max(255)", ".max(2)"],
    ],
  },
  enumeration: { attribute: { enum: ["one", "two"] }, value: "two", changes: [['"two"', '"three"']] },
  integer: { attribute: ranges, value: 5, changes: [...rangeChanges, ["z.int32()", "z.int32().multipleOf(2)"]] },
  biginteger: {
    attribute: ranges,
    value: "5",
    changes: [
      ["min: 1", "min: 6"],
      ["max: 9", "max: 4"],
    ],
  },
  float: { attribute: ranges, value: 5.5, changes: [...rangeChanges, ["z.number()", "z.int()"]] },
  decimal: { attribute: ranges, value: 5.25, changes: [...rangeChanges, ["decimal()", "z.int()"]] },
  date: { attribute: { required: true }, value: "2025-01-31", changes: [["date()", "z.url()"]] },
  time: { attribute: {}, value: "09:30:00.000", changes: [["time()", "z.url()"]] },
  datetime: { attribute: {}, value: instant, changes: [["datetime()", "z.url()"]] },
  timestamp: { attribute: {}, value: instant, changes: [["datetime()", "z.url()"]] },
  boolean: { attribute: { required: true }, value: true, changes: [["z.boolean()", "z.literal(false)"]] },
  json: { attribute: { required: true }, value: { a: 1 }, changes: [["json()", "z.string()"]] },
  blocks: { attribute: {}, value: [paragraph], changes: [["blocks()", "z.array(z.any()).min(9)"]] },
};

/** Undefined for those that nobody can write. */
const relationCases: Readonly<Record<RelationKind, AttributeCase | undefined>> = {
  oneToOne: { attribute: { target }, value: TARGET, changes: [["toOne()", "z.never()"]] },
  manyToOne: { attribute: { target, required: true }, value: TARGET, changes: [["toOne()", "z.never()"]] },
  oneToMany: { attribute: { target }, value: [TARGET], changes: [["toMany()", "z.array(z.any()).min(9)"]] },
  manyToMany: { attribute: { target, required: true }, value: [TARGET], changes: [["min: 1", "min: 2"]] },
  morphToOne: {
    attribute: {},
    value: { __type: target, documentId: TARGET },
    changes: [["toAny()", "z.never()"]],
    writers: "code",
  },
  morphToMany: {
    attribute: {},
    value: [{ __type: target, documentId: TARGET }],
    changes: [["toManyOfAny()", "z.array(z.any()).min(9)"]],
    writers: "rest",
  },
  morphOne: undefined,
  morphMany: undefined,
};

const part = "parts.part";
const entry = { label: "abc" };

/** The kinds that are no scalars and no relations, by the names of attributes. */
const structured: Readonly<
  Record<Exclude<Attribute["kind"], "scalar" | "relation">, Readonly<Record<string, AttributeCase>>>
> = {
  media: {
    file: { attribute: { type: "media" }, value: FILE, changes: [["fileId()", "z.never()"]] },
    files: {
      attribute: { type: "media", multiple: true, required: true },
      value: [FILE],
      changes: [["min: 1", "min: 2"]],
    },
  },
  component: {
    entry: {
      attribute: { type: "component", component: part, required: true },
      value: entry,
      changes: [[/partsPart\w+/, "z.never()"]],
    },
    entries: {
      attribute: { type: "component", component: part, repeatable: true, min: 1, max: 3 },
      value: [entry],
      changes: [
        [".min(1)", ".min(2)"],
        [".max(3)", ".max(0)"],
        [/z.array\(\w+\)/, "z.array(z.any()).min(9)"],
      ],
    },
  },
  dynamiczone: {
    zone: {
      attribute: { type: "dynamiczone", components: [part, "parts.other"], min: 1, max: 3, required: true },
      value: [{ __component: part, ...entry }],
      changes: [
        [".min(1)", ".min(2)"],
        [".max(3)", ".max(0)"],
      ],
    },
  },
};

/** What attributes of any kind may have. */
const options: Readonly<Record<string, AttributeCase>> = {
  hidden: {
    attribute: { type: "string", private: true, maxLength: 5 },
    value: "abc",
    changes: [[".max(5)", ".max(2)"]],
  },
  ofCode: {
    attribute: { type: "string", writable: false, maxLength: 5 },
    value: "abc",
    changes: [[".max(5)", ".max(2)"]],
    writers: "code",
  },
  conditional: {
    attribute: {
      type: "string",
      required: true,
      maxLength: 5,
      conditions: { visible: { "==": [{ var: "string" }, "abc"] } },
    },
    value: "abc",
    changes: [[".max(5)", ".max(2)"]],
  },
  translated: {
    attribute: { type: "string", pluginOptions: { i18n: { localized: true } }, maxLength: 5 },
    value: "abc",
    changes: [[".max(5)", ".max(2)"]],
  },
};

const named = (type: string, { attribute, ...rest }: AttributeCase): AttributeCase => ({
  ...rest,
  attribute: { type, ...attribute },
});

const scalars = Object.entries(scalarCases).map(([type, each]) => [type, named(type, each)] as const);

const relations = Object.entries(relationCases).flatMap(([relation, each]) =>
  each ? [[relation, named("relation", { ...each, attribute: { relation, ...each.attribute } })] as const] : [],
);

/** The attributes with one value of their own. */
export const scalarNames: ReadonlySet<string> = new Set(Object.keys(scalarCases));

/** The attributes of a content type, by name. */
export const attributeCases: Readonly<Record<string, AttributeCase>> = Object.fromEntries([
  ...scalars,
  ...relations,
  ...Object.values(structured).flatMap((cases) => Object.entries(cases)),
  ...Object.entries(options),
]);

/** The attributes of a component: no zones and components again, and no relations that its owner would have to store. */
export const componentCases: Readonly<Record<string, AttributeCase>> = Object.fromEntries([
  ...scalars,
  ...relations.filter(([kind]) => kind === "oneToOne" || kind === "oneToMany"),
  ...Object.entries(structured.media),
]);
