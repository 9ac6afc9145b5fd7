/** What `generated/index.ts` hands over: everything that was declared, keyed by uid. */
import type { GraphqlModule } from "../graphql/builder.ts";
import type { App } from "../graphql/extension/app.ts";
import type { Router } from "../http/rest/router.ts";
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { DeclaredComponent, DeclaredType } from "../schema/declarations.ts";
import type { Extension } from "./extension.ts";

/** What the generated files of one content type declare. */
export interface ContentTypeModule extends DeclaredType {
  /** Absent: the type is not in the GraphQL schema. */
  readonly graphql?: GraphqlModule;
  /** The REST routes; the built-in types have routes of the runtime's own instead. */
  readonly routes?: Router;
}

/** What the generated file of one component declares. */
export interface ComponentModule extends DeclaredComponent {
  readonly graphql?: GraphqlModule;
}

/** A whole project: its content types and components, and the user's own code beside them. */
export interface Application {
  readonly contentTypes: Readonly<Record<Uid, ContentTypeModule>>;
  readonly components: Readonly<Record<ComponentUid, ComponentModule>>;
  readonly extensions: Readonly<Record<Uid, Extension>>;
  /** `content-types/app.ts`, where there is one. */
  readonly app?: App | undefined;
}

/** Types the default export of `generated/index.ts`. */
export const defineApplication = (application: Application): Application => application;
