/** The package's main entry: what user code imports. */
export { type App, defineApp } from "./app.ts";
export { type Config, type ConfigInput, defineConfig } from "./config.ts";
export { type DataOf, type DocumentOf, type KnownUid } from "./documents/data.ts";
export { type Documents, type DocumentService } from "./documents/service.ts";
export {
  type AfterWrite,
  type BeforeWrite,
  defineExtension,
  type DocumentEvent,
  type Extension,
  type Hooks,
} from "./extension.ts";
export { defineSeed, type Seed, type SeedContext, type SeedData, type SeedDocument } from "./seed/seed.ts";
export type { StorageProvider } from "./media/storage.ts";
