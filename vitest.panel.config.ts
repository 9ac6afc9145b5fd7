/** `npm run panel`: the panel in a browser, with what is too slow for each run of the tests. */
import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default defineConfig({ ...base, test: { ...base.test, include: ["test/panel/full/*.browser.ts"] } });
