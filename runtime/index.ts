/** The package's main entry: what user code imports. */
export { type App, type AppTools, defineApp, type Task } from "./graphql/extension/app.ts";
export { type Config, type ConfigInput, defineConfig } from "./config/config.ts";
export { type Db, withSchema } from "./database/drizzle.ts";
export * from "./documents/hooks.ts";
export type { CommittedEvent, EventHandler, EventHandlers } from "./documents/committed-event.ts";
export type { Caller } from "./access/caller.ts";
export { can } from "./access/row-rules.ts";
export type { Documents, DocumentService } from "./documents/service.ts";
export type { DocumentOf, InputOf, KnownUid } from "./schema/document.ts";
export type { FindQuery, Read } from "./schema/typed/index.ts";
export {
  ApplicationError,
  BadRequestError,
  type ErrorDetails,
  ForbiddenError,
  HttpError,
  NotFoundError,
  PolicyError,
  UnauthorizedError,
  ValidationError,
} from "./base/errors.ts";
export {
  type AfterChange,
  type AfterDelete,
  type AfterRead,
  type AfterWrite,
  type BeforeRead,
  type BeforeWrite,
  defineExtension,
  type DocumentEvent,
  type Extension,
  type HookedDocument,
  type Hooks,
  type HookServices,
  type TransactionTools,
} from "./app/extension.ts";
export { defineSeed, type Seed, type SeedContext, type SeedDocument, type SeedFileInfo } from "./app/seed/seed.ts";
export type { Middleware, Policy, PolicyContext, ResolverConfig } from "./graphql/extension/resolver-config.ts";
export type { GraphqlExtension, SchemaExtension } from "./graphql/extension/service.ts";
export type { Mail, Mailer } from "./base/mailer.ts";
export type { StorageProvider } from "./base/storage.ts";
export type { EngineDocument, EngineQuery, SearchEngine } from "./search/engine.ts";
export { meilisearch, type MeilisearchOptions } from "./search/meilisearch.ts";
