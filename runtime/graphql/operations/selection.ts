/** From the selection of a root field to what the read engine is asked for: one query, however deep the selection is. */
import type { GraphQLResolveInfo } from "graphql";
import type { Caller } from "../../access/caller.ts";
import { checkWindow, NEWEST, type PlanSize, Selected, type SelectedOptions } from "../../query/index.ts";
import { type Attributes, targetOf } from "../../schema/attributes.ts";
import type { Attribute, ComponentUid, Field } from "../../schema/content-type.ts";
import { leadsToMany } from "../../schema/relation-kind.ts";
import { type Declaration, isType, type TypeDeclaration } from "../catalog.ts";
import { populatedKey } from "../schema/read.ts";
import { UPLOAD_FILE_UID } from "../upload-file.ts";
import { listOptions } from "./filters.ts";
import type { OperationScope } from "./operations.ts";
import { paginationOf } from "./pagination.ts";
import { descend, type Place, type SelectedField, subfields } from "./subfields.ts";

/** What selections are read with. */
export interface SelectionContext extends OperationScope {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  /** Fragments can make a short text select endlessly: counted here already, before anything is planned. */
  readonly size: PlanSize;
}

/** The `fields` and `populate` of a query. */
export interface RowSelection {
  readonly fields: readonly string[];
  readonly populate: Readonly<Record<string, Selected>>;
}

const SYSTEM_FIELDS = ["documentId", "id", "createdAt", "updatedAt", "publishedAt", "locale"];

/** What a selection of documents asks for; `places` lead to `X` in the flat format, to `XEntity` in the entity format. */
export const documentSelection = (
  context: SelectionContext,
  declaration: TypeDeclaration,
  places: readonly Place[],
): RowSelection => {
  // In the entity format the attributes stand one level further in.
  const rows = context.format === "entity" ? descend(context.info, places, "attributes") : places;
  if (rows.length === 0) return { fields: ["documentId"], populate: {} };
  return rowSelection(context, declaredOf(declaration), SYSTEM_FIELDS, rows);
};

const declaredOf = ({ type: { uid, localized }, attributes }: TypeDeclaration): Attributes => {
  const localizations = { type: "relation", relation: "oneToMany", target: uid } as const;
  return { ...attributes(), ...(localized ? { localizations } : {}) };
};

const rowSelection = (
  context: SelectionContext,
  declared: Attributes,
  system: readonly string[],
  places: readonly Place[],
): RowSelection => {
  const fields = ["id"];
  const populate: Record<string, Selected> = {};
  for (const { type, nodes, prefix } of places) {
    for (const field of subfields(context.info, type, nodes)) {
      const { name, attribute } = lookUp(declared, field.name);
      if (attribute === undefined) {
        // A field of the application's own may be made from any attribute.
        fields.push(system.includes(field.name) ? field.name : "*");
      } else if (!isPopulated(attribute)) {
        fields.push(field.name);
      } else {
        context.size.grow();
        populate[populatedKey(prefix, field.key)] = new Selected(name, memberOptions(context, attribute, field));
      }
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
  const places = wrappedPlaces(context, field);
  const options = {
    ...listOptions(context, target, field.args),
    ...documentSelection(context, target, places),
  };
  return { options, window: windowOf(context, many, field), status: statusOf(field) };
};

const componentOptions = (
  context: SelectionContext,
  target: Declaration,
  many: boolean,
  field: SelectedField,
): SelectedOptions => {
  const [type] = field.types;
  const selection = type ? entrySelection(context, target, { type, nodes: field.nodes, prefix: "" }) : {};
  const options = {
    ...listOptions(context, target, field.args),
    ...selection,
  };
  return { options, window: windowOf(context, many, field) };
};

const entrySelection = (context: SelectionContext, { attributes }: Declaration, place: Place): RowSelection =>
  rowSelection(context, attributes(), ["id"], [place]);

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
      return type ? [[uid, entrySelection(context, component, { type, nodes: field.nodes, prefix: "" })]] : [];
    }),
  );
  return { options: { on } };
};

const morphOptions = (context: SelectionContext, field: SelectedField): SelectedOptions => {
  const on = Object.fromEntries(
    field.types.flatMap((type) => {
      const declaration = context.catalog.find(type.name);
      // Files are linked by media attributes alone.
      if (!isType(declaration) || declaration.uid === UPLOAD_FILE_UID) return [];
      if (!context.caller.can(`${declaration.uid}.find`)) return [];
      const place = { type, nodes: field.nodes, prefix: "" };
      return [[declaration.uid, rowSelection(context, declaredOf(declaration), SYSTEM_FIELDS, [place])]];
    }),
  );
  return { options: { on } };
};

/** Through the wrapper of a relation or media field to the object that it wraps. */
const wrappedPlaces = (
  { info, format }: SelectionContext,
  { name, types: [type], nodes }: SelectedField,
): readonly Place[] => {
  const places = type ? [{ type, nodes, prefix: "" }] : [];
  if (format === "entity") return descend(info, places, "data");
  return name.endsWith("_connection") && type?.name.endsWith("RelationResponseCollection")
    ? descend(info, places, "nodes")
    : places;
};

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
