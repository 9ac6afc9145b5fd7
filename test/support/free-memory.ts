/** Runs before each test file. */
import { afterAll } from "vitest";
import { endFile } from "./end-of-file.ts";
import { freeMemory } from "./garbage.ts";

freeMemory();
// Before any hook of the file, and so done after them.
afterAll(endFile);
