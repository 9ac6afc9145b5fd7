/** A type with an attribute of every kind of scalar, also in components, and what bodies may write into each. */
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  integer,
  json,
  numeric,
  pgTable,
  text,
  time,
  timestamp,
  varchar,
} from "drizzle-orm/pg-core";
import { z } from "zod";
import { versionColumns, versionIndexes } from "../../../runtime/schema/columns.ts";
import { defineComponent, defineContentType, type Json } from "../../../runtime/schema/content-type.ts";
import * as validators from "../../../runtime/schema/validators.ts";

export const things = pgTable(
  "things",
  {
    ...versionColumns(),
    string: varchar("string", { length: 255 }),
    text: text("text"),
    richtext: text("richtext"),
    email: varchar("email", { length: 255 }),
    uid: varchar("uid", { length: 255 }),
    enumeration: text("enumeration"),
    integer: integer("integer"),
    biginteger: bigint("biginteger", { mode: "bigint" }),
    float: doublePrecision("float"),
    decimal: numeric("decimal", { precision: 10, scale: 2 }),
    date: date("date", { mode: "string" }),
    time: time("time", { precision: 3 }),
    datetime: timestamp("datetime", { precision: 3, mode: "string" }),
    timestamp: timestamp("timestamp", { precision: 3, mode: "string" }),
    boolean: boolean("boolean"),
    json: json("json"),
    blocks: json("blocks"),
    single: json("single"),
    list: json("list"),
    zone: json("zone"),
  },
  (version) => versionIndexes(version),
);

export const types = [
  "string",
  "text",
  "richtext",
  "email",
  "uid",
  "enumeration",
  "integer",
  "biginteger",
  "float",
  "decimal",
  "date",
  "time",
  "datetime",
  "timestamp",
  "boolean",
  "json",
  "blocks",
] as const;
type ScalarName = (typeof types)[number];

const scalarSchemas = {
  string: z.string().max(255).nullish(),
  text: z.string().nullish(),
  richtext: z.string().nullish(),
  email: validators.email().max(255).nullish(),
  uid: validators.slug().max(255).nullish(),
  enumeration: z.enum(["one", "2"]).nullish(),
  integer: z.int32().nullish(),
  biginteger: validators.biginteger().nullish(),
  float: z.number().nullish(),
  decimal: validators.decimal().nullish(),
  date: validators.date().nullish(),
  time: validators.time().nullish(),
  datetime: validators.datetime().nullish(),
  timestamp: validators.datetime().nullish(),
  boolean: z.boolean().nullish(),
  json: validators.json().nullish(),
  blocks: validators.blocks().nullish(),
};

const fields = Object.fromEntries(types.map((type) => [type, { type }]));
const boxSchema = z.object(scalarSchemas);
const box = defineComponent({ uid: "shared.box", attributes: fields });

const thing = defineContentType({
  uid: "api::thing.thing",
  kind: "collectionType",
  singularName: "thing",
  pluralName: "things",
  draftAndPublish: true,
  localized: false,
  table: things,
  attributes: {
    ...Object.fromEntries(types.map((type) => [type, { type, column: things[type] }])),
    single: { type: "component", component: "shared.box", column: things.single },
    list: { type: "component", component: "shared.box", repeatable: true, column: things.list },
    zone: { type: "dynamiczone", components: ["shared.box"], column: things.zone },
  },
});

export const application = {
  contentTypes: {
    "api::thing.thing": {
      type: thing,
      validator: z.object({
        ...scalarSchemas,
        single: boxSchema.nullish(),
        list: z.array(boxSchema).optional(),
        zone: z
          .array(z.discriminatedUnion("__component", [boxSchema.extend({ __component: z.literal("shared.box") })]))
          .optional(),
      }),
    },
  },
  components: { "shared.box": { component: box, validator: boxSchema } },
} as const;

const paragraph = [{ type: "paragraph", children: [{ type: "text", text: 'é " \\ </script> \u2028' }] }];

/** What bodies may write into each type. */
export const values: Readonly<Record<ScalarName, readonly Json[]>> = {
  string: ["", "plain", 'é " \\ </script> \u2028 😀'],
  text: ["", "two\nlines"],
  richtext: ["# title"],
  email: ["a@example.org"],
  uid: ["a-b_c.d~e", ""],
  enumeration: ["one", 2],
  integer: [0, -2147483648, 2147483647, "12", 3.0],
  biginteger: [0, "9223372036854775807", "-9223372036854775808", "+7", "007", 12],
  float: [0, 0.1, 1e21, -1.5e-7, "2.50", 1e-320],
  decimal: [0, 1.005, 12.345678, -12.345, 99999999.99, 1e-7, -0.001, "1.10", 2.675, 0.005],
  date: ["2026-01-02", "2026-01-02T23:59:59+05:00", "0999-12-31"],
  time: ["10:00:00", "23:59:59.5", "23:59:59.500", "00:00:00.000", "01:02:03.012"],
  datetime: [
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T03:04:05+02:00",
    "2026-01-02",
    1767323045006,
    "0999-01-02T03:04:05Z",
  ],
  timestamp: [
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T03:04:05",
    1767323045000,
    "1767323045001",
    "0999-01-02T03:04:05Z",
  ],
  boolean: [true, false, "1", "false", 0],
  json: [{ b: [1, { a: null }], a: "é" }, [], "[1, 2]", 1.5, true, '"text"', { id: 7 }],
  blocks: [paragraph, []],
};
