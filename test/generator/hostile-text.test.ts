import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { oddBox, oddBoxValidator } from "../golden/hostile-text/generated/components/odd/box.ts";
import { quote } from "../golden/hostile-text/generated/quote/type.ts";
import { quoteValidator } from "../golden/hostile-text/generated/quote/validator.ts";
import { goldenFolder } from "../support/golden.ts";

const schemaShape = z.object({
  info: z.object({ displayName: z.string() }),
  attributes: z.record(
    z.string(),
    z.object({
      default: z.unknown().optional(),
      enum: z.unknown().optional(),
      conditions: z.object({ visible: z.unknown() }).optional(),
    }),
  ),
});

const schemaOf = (file: string) =>
  schemaShape.parse(JSON.parse(readFileSync(path.join(goldenFolder("hostile-text"), "content-types", file), "utf8")));

test("text from a schema file survives as data when the generated code runs", () => {
  const schema = schemaOf("quote/schema.json");
  const { text, double, single, data, condition } = quoteValidator.attributes;
  expect(quote.displayName).toBe(schema.info.displayName);
  expect(text?.options.default).toBe(schema.attributes["text"]?.default);
  expect(double?.options.default).toBe('say "hi" to "them"');
  expect(single?.options.default).toBe("it's");
  expect(data?.options.default).toEqual(schema.attributes["data"]?.default);
  expect(condition?.options.condition).toEqual(schema.attributes["condition"]?.conditions?.visible);
  expect(quote.attributes).toHaveProperty("choice.enum", schema.attributes["choice"]?.enum);
});

test("so does that of a component", () => {
  const schema = schemaOf("components/odd/box.json");
  expect(oddBox.displayName).toBe(schema.info.displayName);
  expect(oddBoxValidator.attributes["text"]?.options.default).toBe(schema.attributes["text"]?.default);
});
