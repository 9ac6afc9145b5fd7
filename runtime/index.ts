/** The package's main entry: what user code imports. */
export { type App, defineApp } from "./app.ts";
export { type Config, type ConfigInput, defineConfig } from "./config.ts";
export { defineExtension, type Extension } from "./extension.ts";
export { defineSeed, type Seed, type SeedContext, type SeedData, type SeedDocument } from "./seed/seed.ts";
export type { StorageProvider } from "./media/storage.ts";
