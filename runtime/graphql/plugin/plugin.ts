/** The plugin of Pothos that content is declared with. Its hooks leave out what the application has switched off. */
import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from "@pothos/core";
import type { GraphQLFieldResolver } from "graphql";
import { isOffered, requires } from "../schema/access.ts";
import { read } from "../schema/read.ts";
import { type Scope, scopeOf } from "../schema/scope.ts";
import { isSwitchedOn, placeOf } from "./switches.ts";
import "./attribute-fields.ts";
import "./objects.ts";
import "./root-fields.ts";
import "./words.ts";

type Resolver = GraphQLFieldResolver<unknown, object>;

/** What an exposed attribute of a content type or component is read with; undefined for fields of other kinds. */
const readerOf = (field: string, exposed: unknown): Resolver | undefined => {
  if (exposed === undefined) return undefined;
  if (exposed !== field)
    throw new Error(`the field ${field} exposes ${String(exposed)}, and attributes keep their names`);
  return read as Resolver;
};

export class ContentPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  get #scope(): Scope {
    return scopeOf(this.builder);
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> | null {
    const { name, parentType, extensions, pothosOptions } = config;
    const place = placeOf(this.#scope, parentType, name);
    if (pothosOptions.writeOnly || (place && !isSwitchedOn(this.#scope, place))) return null;
    if (!isOffered(this.#scope, extensions)) return null;
    const { can } = pothosOptions;
    const resolve = place && readerOf(name, extensions?.["pothosExposedField"]);
    return {
      ...config,
      ...(resolve ? { resolve } : {}),
      extensions: can === undefined ? extensions : { ...extensions, ...requires([can].flat()) },
    };
  }

  override onInputFieldConfig(config: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> | null {
    const place = placeOf(this.#scope, config.parentType, config.name);
    return place && !isSwitchedOn(this.#scope, place) ? null : config;
  }
}

SchemaBuilder.registerPlugin("content", ContentPlugin);
