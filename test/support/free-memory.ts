/** Runs before each test file. */
import { freeMemory } from "./garbage.ts";

freeMemory();
