/**
 * Runs before each test file: the random cases of a property are the same in every run, so that no run fails on what the
 * last one passed. Thorough runs try others each time, and print the seed of those that fail.
 */
import { configureGlobal } from "fast-check";
import { isThorough } from "./thorough.ts";

if (!isThorough) configureGlobal({ seed: 20_261 });
