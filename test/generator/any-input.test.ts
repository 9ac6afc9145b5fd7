import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildModel } from "../../generator/model/build.ts";
import { attributeShapes } from "../../generator/schema/attribute-shapes.ts";
import { checkShape } from "../../generator/schema/check-shape.ts";
import type { SchemaFile } from "../../generator/schema/schema-file.ts";
import { RUNS } from "../support/thorough.ts";

const found = {
  kind: "contentType",
  path: "",
  owner: "api::thing",
  folder: "thing",
  extended: false,
} as const;

const options = Object.values(attributeShapes).flatMap((shape) => Object.keys(shape.shape));
const names = fc.constantFrom(
  "thing",
  "name",
  "id",
  "__proto__",
  "constructor",
  "api::thing.thing",
  "shared.box",
  "^[",
  "",
);
const value = fc.oneof(names, fc.constantFrom("oneToMany", "manyToOne", "morphMany", "morphToOne"), fc.jsonValue());
const attribute = fc
  .tuple(fc.constantFrom(...Object.keys(attributeShapes)), fc.dictionary(fc.constantFrom(...options), value))
  .map(([type, rest]) => ({ ...rest, type }));
const attributes = fc.array(
  fc.tuple(fc.oneof(names, fc.string()), fc.oneof({ weight: 9, arbitrary: attribute }, fc.jsonValue())),
);
const schema = attributes.map((list) => ({
  info: { singularName: "thing", pluralName: "things", displayName: "Thing" },
  attributes: Object.fromEntries(list),
}));

test("whatever a schema file says, it is reported or understood, and nothing is thrown", () => {
  let understood = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: schema }, fc.jsonValue()), (content) => {
      const { file, diagnostics } = checkShape(found, "schema.json", content);
      const hasErrors = diagnostics.some(({ severity }) => severity === "error");
      expect(file === undefined).toBe(hasErrors);
      if (file) understood += buildModel([file]).model.contentTypes.length - 2;
    }),
    { numRuns: RUNS.anyText },
  );
  expect(understood).toBeGreaterThan(0);
});

test("attributes that are right one by one make a model or an error, whatever they say about each other", () => {
  const single = attribute.filter(
    (one) =>
      checkShape(found, "", {
        info: { singularName: "thing", pluralName: "things", displayName: "" },
        attributes: { one },
      }).file !== undefined,
  );
  const file = fc
    .dictionary(fc.constantFrom("a", "b", "thing", "name", "constructor"), single)
    .map((some): SchemaFile[] => {
      const info = { singularName: "thing", pluralName: "things", displayName: "Thing" };
      const checked = checkShape(found, "schema.json", { info, attributes: some }).file;
      return checked ? [checked] : [];
    });
  fc.assert(
    fc.property(file, (files) => {
      const { model, diagnostics } = buildModel(files);
      const kept = model.contentTypes.find(({ uid }) => uid === "api::thing.thing")?.attributes.length ?? 0;
      const given = files.flatMap(({ schema }) => Object.keys(schema.attributes)).length;
      // What is left out is reported.
      expect(given - kept).toBeLessThanOrEqual(diagnostics.length);
    }),
    { numRuns: RUNS.anySchemaFiles },
  );
});
