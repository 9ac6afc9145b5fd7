/** Model in, generated files out. Nothing here reads or writes the project. */
import type { Model } from "../model/model.ts";
import { emitClient } from "./client.ts";
import { emitComponents } from "./component.ts";
import { emitDocuments } from "./document.ts";
import type { Emitter, RenderedFile } from "./emitter.ts";
import { emitExtensions } from "./extensions.ts";
import { emitGraphql } from "./graphql.ts";
import { emitIndex } from "./index.ts";
import { emitRoutes } from "./rest.ts";
import { indexModel } from "./scope.ts";
import { emitTables } from "./table.ts";
import { emitTypes } from "./type.ts";
import { emitValidators } from "./validator.ts";

/** One for each template. */
const emitters: readonly Emitter[] = [
  emitTables,
  emitDocuments,
  emitTypes,
  emitValidators,
  emitRoutes,
  emitGraphql,
  emitComponents,
  emitExtensions,
  emitIndex,
  emitClient,
];

export interface EmitOptions {
  /** The way from the output folder to the root of the project, with forward slashes. */
  readonly toRoot: string;
  /** `app.ts` of the project, relative to the root; undefined where there is none. */
  readonly app?: string | undefined;
  /** Whether there is to be a client; there is one by default. */
  readonly client?: boolean;
}

/** Renders every generated file in memory. */
export const emit = (model: Model, { toRoot, app, client = true }: EmitOptions): readonly RenderedFile[] => {
  const input = { model, index: indexModel(model), toRoot, app, client };
  return emitters.flatMap((emitter) => emitter(input));
};
