/** From the selection of a root field to what the read engine is asked for: one query, however deep the selection is. */
import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import {
  checkPagination,
  NEWEST,
  type PageLimits,
  type PlanSize,
  Selected,
  type SelectedOptions,
} from "../../query/index.ts";
import type { ComponentDeclaration, FieldDeclaration, FieldDeclarations, TypeDeclaration } from "../declaration.ts";
import { populatedKey } from "../schema/read.ts";
import type { GraphqlFormat } from "../schema/scope.ts";
import { UploadFile } from "../upload-file.ts";
import { componentFilter, typeFilter } from "./filters.ts";
import { descend, type SelectedField, subfields } from "./subfields.ts";

/** What selections are read with. */
export interface SelectionContext {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  readonly format: GraphqlFormat;
  readonly limits: PageLimits;
  /** Fragments can make a short text select endlessly: counted here already, before anything is planned. */
  readonly size: PlanSize;
  /** Content types by GraphQL name. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
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
  const fields: FieldDeclarations = {
    ...declaration.fields(),
    ...(declaration.type.localized ? { localizations: { kind: "relation", target: declaration, many: true } } : {}),
  };
  return rowSelection(context, fields, [...TIMESTAMPS, "locale"], subfields(context.info, row.type, row.nodes));
};

/** In the entity format the attributes stand one level further in. */
const rowOf = ({ info, format }: SelectionContext, { type, nodes }: Place): Place | undefined =>
  format === "entity" ? descend(info, type, nodes, "attributes") : { type, nodes };

const rowSelection = (
  context: SelectionContext,
  declared: FieldDeclarations,
  system: readonly string[],
  selected: readonly SelectedField[],
): RowSelection => {
  const fields = ["id"];
  const populate: Record<string, Selected> = {};
  for (const field of selected) {
    const { attribute, declaration } = lookUp(declared, field.name);
    if (declaration === undefined) {
      // A field of the application's own may be made from any attribute.
      fields.push(system.includes(field.name) || field.name === "documentId" || field.name === "id" ? field.name : "*");
    } else if (declaration.kind === "scalar" || declaration.kind === "enum") {
      fields.push(field.name);
    } else {
      context.size.grow();
      const options = memberOptions(context, declaration, field);
      if (options) add(populate, field, new Selected(attribute, options));
    }
  }
  return { fields, populate };
};

/** The flat format offers lists twice: `tags`, and `tags_connection`. */
const lookUp = (
  declared: FieldDeclarations,
  name: string,
): { readonly attribute: string; readonly declaration: FieldDeclaration | undefined } => {
  const attribute = Object.hasOwn(declared, name) ? name : name.replace(/_connection$/, "");
  return { attribute, declaration: Object.hasOwn(declared, attribute) ? declared[attribute] : undefined };
};

const add = (populate: Record<string, Selected>, { key }: SelectedField, selected: Selected): void => {
  const name = populatedKey(key);
  if (name in populate)
    throw new ValidationError(`"${key}" is selected twice below one document, with different aliases around it`);
  populate[name] = selected;
};

const memberOptions = (
  context: SelectionContext,
  declaration: FieldDeclaration,
  field: SelectedField,
): SelectedOptions | undefined => {
  switch (declaration.kind) {
    case "relation":
      return relationOptions(context, declaration.target, declaration.many, field);
    case "file":
      return relationOptions(context, UploadFile, declaration.many, field);
    case "component":
      return componentOptions(context, declaration.target, declaration.many, field);
    case "zone":
      return zoneOptions(context, declaration.zone.components, field);
    case "morph":
      return morphOptions(context, field);
    default:
      return undefined;
  }
};

const relationOptions = (
  context: SelectionContext,
  target: TypeDeclaration,
  many: boolean,
  field: SelectedField,
): SelectedOptions => {
  const place = targetOf(context, field);
  const options = {
    ...listOptions(field, (input) => typeFilter(target, input)),
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
  const options = { ...listOptions(field, (input) => componentFilter(target, input)), ...selection };
  return { options, window: windowOf(context, many, field) };
};

const entrySelection = (
  context: SelectionContext,
  { fields }: ComponentDeclaration,
  { type, nodes }: Place,
): RowSelection => rowSelection(context, fields(), [], subfields(context.info, type, nodes));

/** Every component of the zone is asked for, so that entries that nothing is selected of keep their place. */
const zoneOptions = (
  context: SelectionContext,
  components: readonly ComponentDeclaration[],
  field: SelectedField,
): SelectedOptions => {
  const on = Object.fromEntries(
    components.flatMap((component) => {
      const type = field.types.find(({ name }) => name === component.name);
      return type ? [[component.component.uid, entrySelection(context, component, { type, nodes: field.nodes })]] : [];
    }),
  );
  return { options: { on } };
};

const morphOptions = (context: SelectionContext, field: SelectedField): SelectedOptions => {
  const on = Object.fromEntries(
    field.types.flatMap((type) => {
      const declaration = context.types.get(type.name);
      if (!declaration || !context.caller.can(`${declaration.type.uid}.find`)) return [];
      const selected = subfields(context.info, type, field.nodes);
      return [[declaration.type.uid, rowSelection(context, declaration.fields(), [...TIMESTAMPS, "locale"], selected)]];
    }),
  );
  return { options: { on } };
};

/** Through the wrapper of a relation or media field to the object that it wraps. */
const targetOf = ({ info, format }: SelectionContext, { name, types, nodes }: SelectedField): Place | undefined => {
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
  const { start, limit } = checkPagination(args["pagination"], limits, true);
  return { start, limit };
};

/** Lists of the entity format say which versions they show; everything else follows what it is read from. */
const statusOf = ({ args }: SelectedField): SelectedOptions["status"] => {
  if (!("publicationState" in args)) return undefined;
  return args["publicationState"] === "live" ? "published" : NEWEST;
};
