import type { Config } from "../../runtime/config/config.ts";
import type { AttributeView } from "../attributes/catalogue.ts";
import type { Component, ContentType, Model } from "../model/model.ts";

/** A file below the output folder. */
export interface RenderedFile {
  /** With forward slashes: `article/table.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface EmitOptions {
  /** The path from the output folder to the project root, with forward slashes; extensions are imported from there. */
  readonly toRoot: string;
  /** The project's `app.ts`, relative to the root; undefined if there is none. */
  readonly app?: string | undefined;
  /** Whether to generate a client; true by default. */
  readonly client?: boolean;
  readonly graphql: Pick<Config["graphql"], "format">;
  /** If set, there are tables for events. */
  readonly events?: Config["events"];
  /** If set, there is a table for the audit log. */
  readonly audit?: Config["audit"];
  /** If set, there is a table for share links. */
  readonly sharing?: Config["sharing"];
  /** With `folders`, there is a table for the folders of files. */
  readonly media?: Pick<Config["media"], "folders">;
}

/** The emitters' context. */
export interface EmitInput extends EmitOptions {
  readonly model: Model;
  /** The attributes of a content type or component, as views for templates. */
  readonly attributesOf: (owner: ContentType | Component) => readonly AttributeView[];
  /** The same with the constraints of drafts. */
  readonly draftsOf: (owner: ContentType | Component) => readonly AttributeView[];
}

/** A file below the output folder. */
export interface EmittedFile {
  readonly path: string;
  /** The name of its template, such as `table.ts`. */
  readonly template: string;
  /** What the template fills in: texts are source code; those that it puts in quotes are escaped accordingly. */
  readonly view: object;
}

/** One kind of generated file. */
export type Emitter = (input: EmitInput) => readonly EmittedFile[];
