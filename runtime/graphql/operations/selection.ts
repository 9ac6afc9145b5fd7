/** Turns the selection of a root field into one query for the read engine, however deep the selection is. */
import type { GraphQLResolveInfo } from "graphql";
import type { Caller } from "../../access/caller.ts";
import {
  checkWindow,
  type Member,
  NEWEST,
  type PlanSize,
  type Schema,
  Selected,
  type SelectedOptions,
} from "../../query/index.ts";
import type { ComponentUid } from "../../schema/content-type.ts";
import { type Declaration, isType, type TypeDeclaration } from "../catalog.ts";
import { populatedKey } from "../schema/ready.ts";
import { UPLOAD_FILE_UID } from "../upload-file.ts";
import { listOptions } from "./filters.ts";
import type { OperationScope } from "./operations.ts";
import { paginationOf } from "./pagination.ts";
import { descend, type Place, type SelectedField, subfields } from "./subfields.ts";

/** What selections are read with. */
export interface SelectionContext extends OperationScope {
  readonly info: GraphQLResolveInfo;
  readonly caller: Caller;
  /** The read engine's schema. */
  readonly schema: Schema;
  /** Fragments can make a short text select endlessly, so this counts before anything is planned. */
  readonly size: PlanSize;
}

/** The `fields` and `populate` of a query. */
export interface RowSelection {
  readonly fields: readonly string[];
  readonly populate: Readonly<Record<string, Selected>>;
}

/** What a selection of documents asks for; `places` lead to `X` in the flat format, to `XEntity` in the entity format. */
export const documentSelection = (
  context: SelectionContext,
  declaration: TypeDeclaration,
  places: readonly Place[],
): RowSelection => {
  // In the entity format the attributes are one level deeper.
  const rows = context.format === "entity" ? descend(context.info, places, "attributes") : places;
  if (rows.length === 0) return { fields: ["documentId"], populate: {} };
  return rowSelection(context, declaration.uid, rows);
};

const rowSelection = (context: SelectionContext, uid: Declaration["uid"], places: readonly Place[]): RowSelection => {
  const { members } = context.schema.owner(uid);
  const fields = ["id"];
  const populate: Record<string, Selected> = {};
  for (const { type, nodes, prefix } of places) {
    for (const field of subfields(context.info, type, nodes)) {
      // The flat format offers lists twice: `tags`, and `tags_connection`.
      const member = members.get(field.name) ?? members.get(field.name.replace(/_connection$/, ""));
      if (member?.kind === "scalar" && !member.secret) {
        fields.push(member.name);
      } else if (member === undefined || member.kind === "absent" || member.hidden || member.secret) {
        // The application's own fields may use any attribute.
        fields.push("*");
      } else {
        context.size.grow();
        populate[populatedKey(prefix, field.key)] = new Selected(member.name, memberOptions(context, member, field));
      }
    }
  }
  return { fields, populate };
};

const memberOptions = (
  context: SelectionContext,
  member: Exclude<Member, { readonly kind: "absent" }>,
  field: SelectedField,
): SelectedOptions => {
  const { catalog } = context;
  switch (member.kind) {
    case "scalar":
      return { options: true };
    case "component":
      return componentOptions(context, catalog.component(member.component), member.repeatable, field);
    case "zone":
      return zoneOptions(context, member.components, field);
    case "relation":
      if (member.target === undefined) return morphOptions(context, field);
      return relationOptions(context, catalog.type(member.target), member.many, field);
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
  const places = type ? [{ type, nodes: field.nodes, prefix: "" }] : [];
  const options = {
    ...listOptions(context, target, field.args),
    ...(places.length > 0 ? rowSelection(context, target.uid, places) : {}),
  };
  return { options, window: windowOf(context, many, field) };
};

/** Asks for every component of the zone, so that entries without a selection keep their place. */
const zoneOptions = (
  context: SelectionContext,
  components: readonly ComponentUid[],
  field: SelectedField,
): SelectedOptions => {
  const on = Object.fromEntries(
    components.flatMap((uid) => {
      const component = context.catalog.component(uid);
      const type = field.types.find(({ name }) => name === component.name);
      return type ? [[uid, rowSelection(context, uid, [{ type, nodes: field.nodes, prefix: "" }])]] : [];
    }),
  );
  return { options: { on } };
};

const morphOptions = (context: SelectionContext, field: SelectedField): SelectedOptions => {
  const on = Object.fromEntries(
    field.types.flatMap((type) => {
      const declaration = context.catalog.find(type.name);
      // Only media attributes link files.
      if (!isType(declaration) || declaration.uid === UPLOAD_FILE_UID) return [];
      if (!context.caller.can(`${declaration.uid}.find`)) return [];
      const place = { type, nodes: field.nodes, prefix: "" };
      return [[declaration.uid, rowSelection(context, declaration.uid, [place])]];
    }),
  );
  return { options: { on } };
};

/** Descends through the wrapper of a relation or media field to the object inside. */
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

/** Lists of the entity format choose which versions they show; everything else inherits that from its parent. */
const statusOf = ({ args }: SelectedField): SelectedOptions["status"] => {
  if (!("publicationState" in args)) return undefined;
  return args["publicationState"] === "live" ? "published" : NEWEST;
};
