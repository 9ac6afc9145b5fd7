import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("those who ask for a port at the same time get different ones", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
