/** The application that `generated/index.ts` exports: all declarations by uid, and the user's code. */
import type { GraphqlModule } from "../graphql/builder.ts";
import type { App } from "../graphql/extension/app.ts";
import type { GraphqlFormat } from "../graphql/operations/operations.ts";
import type { Router } from "../http/rest/router.ts";
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { DeclaredComponent, DeclaredType } from "../schema/registry.ts";
import type { Extension } from "./extension.ts";

/** The declarations in the generated files of one content type. */
export interface ContentTypeModule extends DeclaredType {
  /** Absent if the type is not in the GraphQL schema. */
  readonly graphql?: GraphqlModule;
  /** The REST routes. Built-in types have none here, since the runtime has their routes. */
  readonly routes?: Router;
}

/** The declarations in the generated file of one component. */
export interface ComponentModule extends DeclaredComponent {
  readonly graphql?: GraphqlModule;
}

/** A whole project: its content types and components, and the user's code. */
export interface Application {
  readonly contentTypes: Readonly<Record<Uid, ContentTypeModule>>;
  readonly components: Readonly<Record<ComponentUid, ComponentModule>>;
  readonly extensions: Readonly<Record<Uid, Extension>>;
  /** The format of GraphQL whose operations the `graphql.ts` files declare. */
  readonly graphqlFormat?: GraphqlFormat;
  /** The default export of `content-types/app.ts`, if it exists. */
  readonly app?: App | undefined;
  /** The file with the project's extensions of the panel, built for browsers. */
  readonly panelExtensions?: string | undefined;
}

/** Types the default export of `generated/index.ts`. */
export const defineApplication = (application: Application): Application => application;
