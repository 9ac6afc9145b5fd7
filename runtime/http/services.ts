/** What one running server is made of. Handlers reach it through the request context. */
import type { Auth, Secrets } from "../accounts/auth.ts";
import type { Mailer } from "../accounts/mailer.ts";
import type { Application } from "../app/application.ts";
import type { Background } from "../base/background.ts";
import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { Documents } from "../documents/service.ts";
import type { Media } from "../media/media.ts";
import type { Component, ComponentUid, ContentType, Uid } from "../schema/content-type.ts";
import type { ClientAddress } from "./frame/client-address.ts";

/** Looks up what is declared, by uid. Unknown uids are a bug of the caller's and throw. */
export interface Registry {
  readonly application: Application;
  contentType(uid: Uid): ContentType;
  component(uid: ComponentUid): Component;
  has(uid: string): boolean;
}

export interface Services {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly registry: Registry;
  readonly log: Logger;
  readonly media: Media;
  readonly auth: Auth;
  /** The document service, with the rights of the application itself. */
  readonly documents: Documents;
  readonly mailer: Mailer;
  readonly background: Background;
  /** The address that a request comes from, seen through trusted proxies only. */
  readonly clientAddress: ClientAddress;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
