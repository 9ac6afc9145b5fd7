import type { Config } from "../../runtime/config/config.ts";
import type { AttributeView } from "../attributes/view.ts";
import type { Component, ContentType, Model } from "../model/model.ts";
import type { Views } from "./views.ts";

/** A file below the output folder. */
export interface RenderedFile {
  /** With forward slashes: `article/table.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface EmitOptions {
  /** The way from the output folder to the root of the project, with forward slashes; extensions are imported from there. */
  readonly toRoot: string;
  /** `app.ts` of the project, relative to the root; undefined where there is none. */
  readonly app?: string | undefined;
  /** Whether there is to be a client; there is one by default. */
  readonly client?: boolean;
  readonly graphql: Pick<Config["graphql"], "format">;
  /** With it, there are tables for events. */
  readonly events?: Config["events"];
}

/** What emitters are given. */
export interface EmitInput extends EmitOptions {
  readonly model: Model;
  /** The attributes of a content type or component, as templates take them. */
  readonly attributesOf: (owner: ContentType | Component) => readonly AttributeView[];
  /** The same as drafts have to satisfy them. */
  readonly draftsOf: (owner: ContentType | Component) => readonly AttributeView[];
}

/** A file below the output folder as what its template is filled with. */
export interface EmittedFile<Name extends keyof Views = keyof Views> {
  readonly path: string;
  readonly template: Name;
  readonly view: Views[Name];
}

/** One kind of generated file. */
export type Emitter = (input: EmitInput) => readonly EmittedFile[];
