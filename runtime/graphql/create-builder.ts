/** Makes builders that know the words for content. */
import SchemaBuilder from "@pothos/core";
import type { Builder, GraphqlObjects, GraphqlTypes } from "./builder.ts";
import type { ContentOptions } from "./plugin/options.ts";
import "./plugin/plugin.ts";

/**
 * A builder of its own for every schema: servers of several applications may live in one process.
 * `plugins` are names of builder plugins whose packages were imported.
 */
export const createBuilder = (content: ContentOptions, plugins: readonly string[]): Builder =>
  new SchemaBuilder<GraphqlTypes<GraphqlObjects>>({ plugins: ["content", ...plugins] as never[], content });
