import { defineConfig } from "galley-cms";

export default defineConfig({
  locales: { default: "en", codes: ["en", "de"] },
  search: { engine: "postgres", typos: true, zoneFilters: true },
  permissions: { public: ["api::page.page.find", "api::page.page.findOne"] },
});
