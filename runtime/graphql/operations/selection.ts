/** From the selection of a root field to what the read engine is asked for: one query, however deep the selection is. */
import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import {
  checkWindow,
  NEWEST,
  type PageLimits,
  type PlanSize,
  Selected,
  type SelectedOptions,
} from "../../query/index.ts";
import type { Attribute, ComponentUid, Field } from "../../schema/content-type.ts";
import { leadsToMany } from "../../schema/relation-kind.ts";
import type { Attributes, Catalog, ComponentDeclaration, TypeDeclaration } from "../catalog.ts";
import type { GraphqlFormat } from "../plugin/options.ts";
import { populatedKey } from "../schema/read.ts";
import { targetOf } from "../target.ts";
import { UPLOAD_FILE_UID } from "../upload-file.ts";
import { componentFilter, typeFilter } from "./filters.ts";
import { paginationOf } from "./pagination.ts";
import { descend, type SelectedField, subfields } from "./subfields.ts";

/** What selections are read with. */
export interface SelectionContext {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  readonly format: GraphqlFormat;
  readonly limits: PageLimits;
  /** Fragments can make a short text select endlessly: counted here already, before anything is planned. */
  readonly size: PlanSize;
  readonly catalog: Catalog;
}

/** The `fields` and `populate` of a query. */
export interface RowSelection {
  readonly fields: readonly string[];
  readonly populate: Readonly<Record<string, Selected>>;
}

/** Places that select an object of one type. */
export interface Place {
  readonly type: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
}

const TIMESTAMPS = ["createdAt", "updatedAt", "publishedAt"];

/** What a selection of documents asks for; `place` leads to `X` in the flat format, to `XEntity` in the entity format. */
export const documentSelection = (
  context: SelectionContext,
  declaration: TypeDeclaration,
  place: Place,
): RowSelection => {
  const row = rowOf(context, place);
  if (!row) return { fields: ["documentId"], populate: {} };
  const { uid, localized } = declaration.type;
  const localizations = { type: "relation", relation: "oneToMany", target: uid } as const;
  const attributes = { ...declaration.attributes(), ...(localized ? { localizations } : {}) };
  return rowSelection(context, attributes, [...TIMESTAMPS, "locale"], subfields(context.info, row.type, row.nodes));
};

/** In the entity format the attributes stand one level further in. */
const rowOf = ({ info, format }: SelectionContext, { type, nodes }: Place): Place | undefined =>
  format === "entity" ? descend(info, type, nodes, "attributes") : { type, nodes };

const rowSelection = (
  context: SelectionContext,
  declared: Attributes,
  system: readonly string[],
  selected: readonly SelectedField[],
): RowSelection => {
  const fields = ["id"];
  const populate: Record<string, Selected> = {};
  for (const field of selected) {
    const { name, attribute } = lookUp(declared, field.name);
    if (attribute === undefined) {
      // A field of the application's own may be made from any attribute.
      fields.push(system.includes(field.name) || field.name === "documentId" || field.name === "id" ? field.name : "*");
    } else if (!isPopulated(attribute)) {
      fields.push(field.name);
    } else {
      context.size.grow();
      add(populate, field, new Selected(name, memberOptions(context, attribute, field)));
    }
  }
  return { fields, populate };
};

/** The flat format offers lists twice: `tags`, and `tags_connection`. */
const lookUp = (
  declared: Attributes,
  field: string,
): { readonly name: string; readonly attribute: Attribute | Field | undefined } => {
  const name = Object.hasOwn(declared, field) ? field : field.replace(/_connection$/, "");
  return { name, attribute: Object.hasOwn(declared, name) ? declared[name] : undefined };
};

type Populated = Extract<Attribute | Field, { type: "relation" | "media" | "component" | "dynamiczone" }>;

const POPULATED: ReadonlySet<string> = new Set(["relation", "media", "component", "dynamiczone"]);

const isPopulated = (attribute: Attribute | Field): attribute is Populated => POPULATED.has(attribute.type);

const add = (populate: Record<string, Selected>, { key }: SelectedField, selected: Selected): void => {
  const name = populatedKey(key);
  if (name in populate)
    throw new ValidationError(`"${key}" is selected twice below one document, with different aliases around it`);
  populate[name] = selected;
};

const memberOptions = (context: SelectionContext, attribute: Populated, field: SelectedField): SelectedOptions => {
  const { catalog } = context;
  switch (attribute.type) {
    case "media":
      return relationOptions(context, catalog.type(UPLOAD_FILE_UID), attribute.multiple === true, field);
    case "component":
      return componentOptions(context, catalog.component(attribute.component), attribute.repeatable === true, field);
    case "dynamiczone":
      return zoneOptions(context, attribute.components, field);
    case "relation": {
      const target = targetOf(attribute);
      if (target === undefined) return morphOptions(context, field);
      return relationOptions(context, catalog.type(target), leadsToMany(attribute.relation), field);
    }
  }
};

const relationOptions = (
  context: SelectionContext,
  target: TypeDeclaration,
  many: boolean,
  field: SelectedField,
): SelectedOptions => {
  const place = wrappedPlace(context, field);
  const options = {
    ...listOptions(field, (input) => typeFilter(context.catalog, target, input)),
    ...(place ? documentSelection(context, target, place) : { fields: ["id"] }),
  };
  return { options, window: windowOf(context, many, field), status: statusOf(field) };
};

const componentOptions = (
  context: SelectionContext,
  target: ComponentDeclaration,
  many: boolean,
  field: SelectedField,
): SelectedOptions => {
  const [type] = field.types;
  const selection = type ? entrySelection(context, target, { type, nodes: field.nodes }) : {};
  const options = { ...listOptions(field, (input) => componentFilter(context.catalog, target, input)), ...selection };
  return { options, window: windowOf(context, many, field) };
};

const entrySelection = (
  context: SelectionContext,
  { attributes }: ComponentDeclaration,
  { type, nodes }: Place,
): RowSelection => rowSelection(context, attributes(), [], subfields(context.info, type, nodes));

/** Every component of the zone is asked for, so that entries that nothing is selected of keep their place. */
const zoneOptions = (
  context: SelectionContext,
  components: readonly ComponentUid[],
  field: SelectedField,
): SelectedOptions => {
  const on = Object.fromEntries(
    components.flatMap((uid) => {
      const component = context.catalog.component(uid);
      const type = field.types.find(({ name }) => name === component.name);
      return type ? [[uid, entrySelection(context, component, { type, nodes: field.nodes })]] : [];
    }),
  );
  return { options: { on } };
};

const morphOptions = (context: SelectionContext, field: SelectedField): SelectedOptions => {
  const on = Object.fromEntries(
    field.types.flatMap((type) => {
      const declaration = context.catalog.typeNamed(type.name);
      // Files are linked by media attributes alone.
      if (!declaration || declaration.type.uid === UPLOAD_FILE_UID) return [];
      if (!context.caller.can(`${declaration.type.uid}.find`)) return [];
      const selected = subfields(context.info, type, field.nodes);
      return [
        [declaration.type.uid, rowSelection(context, declaration.attributes(), [...TIMESTAMPS, "locale"], selected)],
      ];
    }),
  );
  return { options: { on } };
};

/** Through the wrapper of a relation or media field to the object that it wraps. */
const wrappedPlace = ({ info, format }: SelectionContext, { name, types, nodes }: SelectedField): Place | undefined => {
  const [type] = types;
  if (!type) return undefined;
  if (format === "entity") return descend(info, type, nodes, "data");
  return name.endsWith("_connection") && type.name.endsWith("RelationResponseCollection")
    ? descend(info, type, nodes, "nodes")
    : { type, nodes };
};

const listOptions = ({ args }: SelectedField, translate: (input: unknown) => unknown) => ({
  ...(args["filters"] ? { filters: translate(args["filters"]) } : {}),
  ...(args["sort"] ? { sort: args["sort"] } : {}),
});

const windowOf = ({ limits }: SelectionContext, many: boolean, { args }: SelectedField) => {
  if (!many) return undefined;
  const { start, limit } = checkWindow(paginationOf(args["pagination"]), limits);
  return { start, limit };
};

/** Lists of the entity format say which versions they show; everything else follows what it is read from. */
const statusOf = ({ args }: SelectedField): SelectedOptions["status"] => {
  if (!("publicationState" in args)) return undefined;
  return args["publicationState"] === "live" ? "published" : NEWEST;
};
