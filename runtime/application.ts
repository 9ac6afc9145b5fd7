/** What `generated/index.ts` hands over: everything that was declared, keyed by uid. */
import type { Hono } from "hono";
import type { App } from "./app.ts";
import type { Component, ComponentUid, ContentType, Uid } from "./content-type.ts";
import type { Extension } from "./extension.ts";
import type { ComponentDeclaration, TypeDeclaration } from "./graphql/declaration.ts";
import type { AppEnv } from "./rest/context.ts";
import type { Validator } from "./validators.ts";

export interface ContentTypeModule {
  readonly type: ContentType;
  readonly validator: Validator;
  /** Absent: the type is not in the GraphQL schema. */
  readonly graphql?: TypeDeclaration;
  /** The REST routes; the built-in types have routes of the runtime's own instead. */
  readonly routes?: Hono<AppEnv>;
}

export interface ComponentModule {
  readonly component: Component;
  readonly validator: Validator;
  readonly graphql?: ComponentDeclaration;
}

export interface Application {
  readonly contentTypes: Readonly<Record<Uid, ContentTypeModule>>;
  readonly components: Readonly<Record<ComponentUid, ComponentModule>>;
  readonly extensions: Readonly<Record<Uid, Extension>>;
  /** `content-types/app.ts`, where there is one. */
  readonly app?: App | undefined;
}

export const defineApplication = (application: Application): Application => application;
