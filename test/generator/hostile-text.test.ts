import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { membersOf } from "../../runtime/schema/validation/members.ts";
import { oddBoxSchema } from "../golden/hostile-text/generated/components/odd/box.ts";
import { quoteSchema } from "../golden/hostile-text/generated/quote/validator.ts";
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
  const members = membersOf(quoteSchema);
  expect(members.get("text")?.default).toBe(schema.attributes["text"]?.default);
  expect(members.get("double")?.default).toBe('say "hi" to "them"');
  expect(members.get("single")?.default).toBe("it's");
  expect(members.get("data")?.default).toEqual(schema.attributes["data"]?.default);
  expect(members.get("condition")?.condition).toEqual(schema.attributes["condition"]?.conditions?.visible);
  expect(quoteSchema.shape.choice.unwrap().unwrap().options).toEqual(schema.attributes["choice"]?.enum);
});

test("so does that of a component", () => {
  const schema = schemaOf("components/odd/box.json");
  expect(membersOf(oddBoxSchema).get("text")?.default).toBe(schema.attributes["text"]?.default);
});
