/** The Pothos plugin for declaring content. Its hooks leave out what the application has disabled. */
import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from "@pothos/core";
import type { GraphQLFieldResolver } from "graphql";
import { targetOf } from "../../schema/attributes.ts";
import type { Declaration } from "../catalog.ts";
import { type Side, SYSTEM_FIELDS } from "../extension/shadow-crud.ts";
import { isOffered, requires } from "../schema/guards.ts";
import { read } from "../schema/ready.ts";
import { scopeOf, type Scope } from "../schema/scope.ts";
import { UPLOAD_FILE_UID } from "../upload-file.ts";
import "./attribute-fields.ts";
import "./objects.ts";
import "./root-fields.ts";
import "./version-fields.ts";
import "./words.ts";

type Resolver = GraphQLFieldResolver<unknown, object>;

/** The resolver of an exposed attribute of a content type or component; undefined for other kinds of fields. */
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

// Below: which fields of content types and components remain after the extension service has disabled some.

/** The attribute behind a field, and which of the types made from its content type or component has the field. */
export interface Place {
  readonly owner: Declaration;
  readonly attribute: string;
  readonly side: Side;
}

type Owned = Pick<Place, "owner" | "side">;

/** The text without the ending, if it has that. */
const before = (text: string, ending: string): string => (text.endsWith(ending) ? text.slice(0, -ending.length) : text);

const findSide = ({ catalog }: Scope, type: string): Owned | undefined => {
  const output = catalog.find(type);
  if (output) return { owner: output, side: "output" };
  const filters = catalog.find(before(type, "FiltersInput"));
  if (filters) return { owner: filters, side: "filters" };
  const input = catalog.find(before(type, "Input"));
  return input && { owner: input, side: "input" };
};

/** Caches the type that was asked for last, since the builder asks for all fields of one type in a row. */
const sides = new WeakMap<Scope, { readonly type: string; readonly side: Owned | undefined }>();

const sideOf = (scope: Scope, type: string): Owned | undefined => {
  const known = sides.get(scope);
  if (known?.type === type) return known.side;
  const side = findSide(scope, type);
  sides.set(scope, { type, side });
  return side;
};

const has = ({ type, declared }: Declaration, name: string): boolean =>
  Object.hasOwn(declared, name) || (type !== undefined && SYSTEM_FIELDS.includes(name));

/** Undefined for a field without an attribute, such as one of the application's own. */
export const placeOf = (scope: Scope, type: string, field: string): Place | undefined => {
  const found = sideOf(scope, type);
  if (!found) return undefined;
  const { owner, side } = found;
  // The entity format filters documents by `id`.
  if (owner.type && side === "filters" && field === "id") return { ...found, attribute: "documentId" };
  const attribute = has(owner, field) ? field : before(field, "_connection");
  return has(owner, attribute) ? { ...found, attribute } : undefined;
};

/** The uid of the type that an attribute leads to. */
const leadsTo = ({ declared }: Declaration, name: string): string | undefined => {
  const attribute = Object.hasOwn(declared, name) ? declared[name] : undefined;
  if (attribute?.type === "media") return UPLOAD_FILE_UID;
  return attribute && targetOf(attribute);
};

/** Disabling a type also disables the relations to it. */
export const isSwitchedOn = ({ shadow }: Scope, { owner, attribute, side }: Place): boolean => {
  const target = leadsTo(owner, attribute);
  if (target !== undefined && shadow.type(target).isDisabled()) return false;
  const isHidden = side !== "input" && owner.type?.privateFields?.includes(attribute) === true;
  return !isHidden && shadow.type(owner.uid).offers(attribute, side);
};
