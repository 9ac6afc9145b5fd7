import type { Model } from "../model/model.ts";
import type { ModelIndex } from "./scope.ts";

/** A file to be written, below the output folder. */
export interface RenderedFile {
  /** With forward slashes: `article/table.ts`. */
  readonly path: string;
  readonly text: string;
}

/** What emitters are given. */
export interface EmitInput {
  readonly model: Model;
  readonly index: ModelIndex;
  /** The way from the output folder to the root, such as `..`; extensions are imported from there. */
  readonly toRoot: string;
  /** `app.ts` of the project, relative to the root; undefined where there is none. */
  readonly app: string | undefined;
  /** Whether there is to be a client. */
  readonly client: boolean;
}

/** One kind of generated file. */
export type Emitter = (input: EmitInput) => readonly RenderedFile[];
