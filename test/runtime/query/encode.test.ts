/** Values are written as JSON would write them. */
import { expect, test } from "vitest";
import { encoderOf } from "../../../runtime/query/output/json-text.ts";

test("every character of a text is escaped exactly where JSON escapes it", () => {
  const encode = encoderOf("string");
  for (let code = 0; code < 0x1_0000; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    const written = encode(text);
    if (written !== JSON.stringify(text)) expect(written).toBe(JSON.stringify(text));
  }
  expect(encode("\u{1f600}")).toBe('"\u{1f600}"');
  expect(encode("")).toBe('""');
  expect(encode(null)).toBe("null");
});

test.each([
  ["2026-01-02 03:04:05", "000"],
  ["2026-01-02 03:04:05.6", "600"],
  ["2026-01-02 03:04:05.06", "060"],
  ["2026-01-02 03:04:05.678", "678"],
  ["2026-01-02 03:04:05.678901", "678"],
])("the instant %s has milliseconds", (printed, milliseconds) => {
  expect(encoderOf("datetime")(printed)).toBe(`"2026-01-02T03:04:05.${milliseconds}Z"`);
});

test.each(["float", "decimal"] as const)("a %s that JSON has no number for is null", (type) => {
  for (const printed of ["NaN", "Infinity", "-Infinity"]) expect(encoderOf(type)(printed)).toBe("null");
  for (const printed of ["0.1", "-3", 2.5]) expect(encoderOf(type)(printed)).toBe(String(printed));
});
