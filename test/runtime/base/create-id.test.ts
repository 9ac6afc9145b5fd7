import { expect, test } from "vitest";
import { createId } from "../../../runtime/base/create-id.ts";

const ids = Array.from({ length: 5000 }, createId);

test("ids have the form of a cuid2, and differ", () => {
  expect(ids.filter((id) => !/^[a-z][a-z0-9]{23}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every character that an id may have occurs at every place", () => {
  const seen = Array.from({ length: 24 }, (_each, place) => new Set(ids.map((id) => id.charAt(place))).size);
  expect(seen).toEqual([26, ...Array.from({ length: 23 }, () => 36)]);
});
