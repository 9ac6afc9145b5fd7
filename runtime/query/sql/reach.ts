/**
 * How SQL follows a relation or media attribute from one row to others. A relation is stored between a version and a
 * document; the status and locale of the source version determine which version of the target document is meant.
 */
import { aliasedTable, and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { builder } from "../../database/database.ts";
import type {
  DocumentLinkTable,
  FileLinkTable,
  MorphLinkTable,
  RelationAttribute,
  RelationField,
  Uid,
} from "../../schema/content-type.ts";
import type { AnyStatus } from "../query.ts";
import type { RelationMember } from "../schema.ts";
import { type Build, columnIn, jsonList, jsonMember, jsonText, memberOf, type RowScope, type Scope } from "./scope.ts";
import { localeOf, statusOf } from "./versions.ts";

type Link = DocumentLinkTable | MorphLinkTable | FileLinkTable;

/** The link table between source and target, with its alias. */
export interface LinkStep {
  readonly table: Link;
  readonly alias: string;
  /** The condition that joins the link's row to the target. */
  readonly on: SQL;
}

export interface Reach {
  readonly target: RowScope;
  readonly link: LinkStep | undefined;
  /** The condition that ties source, link and target together and picks the target's version. */
  readonly where: SQL;
}

/** Selects from the rows that are reached. */
export const selectReached = (
  fields: Record<string, AnyPgColumn | SQL | SQL.Aliased>,
  { target, link, where }: Pick<Reach, "target" | "link"> & { readonly where: SQL | undefined },
  condition?: SQL,
) => {
  const select = builder.select(fields);
  const from = link
    ? select.from(aliasedTable(link.table, link.alias)).innerJoin(target.table, link.on)
    : select.from(target.table);
  return from.where(and(where, condition));
};

/** How the attribute is stored, as seen from this side. */
type Storage =
  | { readonly kind: "column"; readonly column: AnyPgColumn; readonly files: boolean }
  | { readonly kind: "link"; readonly link: DocumentLinkTable | MorphLinkTable }
  | { readonly kind: "fileLink"; readonly link: FileLinkTable }
  | {
      readonly kind: "inverseColumn";
      readonly column: AnyPgColumn;
      readonly typeColumn: AnyPgColumn | undefined;
      readonly position: AnyPgColumn | undefined;
    }
  | { readonly kind: "inverseLink"; readonly link: DocumentLinkTable | MorphLinkTable }
  | { readonly kind: "json"; readonly files: boolean }
  | { readonly kind: "localizations" };

/** Finds where a relation is stored. For an inverse side, this is the target's attribute. */
export const storageOf = ({ schema }: Pick<Build, "schema">, member: RelationMember): Storage => {
  const { source } = member;
  if (source.type === "localizations") return { kind: "localizations" };
  if (source.type === "media") {
    if ("column" in source) return { kind: "column", column: source.column, files: true };
    return "link" in source ? { kind: "fileLink", link: source.link } : { kind: "json", files: true };
  }
  if (!isStored(source)) return { kind: "json", files: false };
  if ("column" in source) return { kind: "column", column: source.column, files: false };
  if ("link" in source) return { kind: "link", link: source.link };
  if ("mappedBy" in source) return inverse(schema.type(source.target).members.get(source.mappedBy), member);
  return inverse(schema.type(source.target).members.get(source.morphBy), member);
};

/** Whether the relation has a column or link table. Relations inside components have neither. */
const isStored = (source: RelationAttribute | RelationField): source is RelationAttribute =>
  "column" in source || "link" in source || "mappedBy" in source || "morphBy" in source;

const inverse = (owning: ReturnType<Scope["owner"]["members"]["get"]>, member: RelationMember): Storage => {
  const source = owning?.kind === "relation" ? owning.source : undefined;
  if (source?.type === "relation" && isStored(source)) {
    if ("column" in source) {
      const typeColumn = "typeColumn" in source ? source.typeColumn : undefined;
      const position = "inversePosition" in source ? source.inversePosition : undefined;
      return { kind: "inverseColumn", column: source.column, typeColumn, position };
    }
    if ("link" in source) return { kind: "inverseLink", link: source.link };
  }
  throw new Error(`${member.target} stores no relation whose other side is ${member.name}`);
};

/** Follows the relation `name` from the row or component of `scope`. */
export const reach = (scope: Scope, name: string, status: AnyStatus): Reach => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "relation" || member.target === undefined) throw new Error(`${name} has no target type`);
  const target = scope.build.rows(member.target, status);
  const storage = storageOf(scope.build, member);
  const row = scope.row;
  const owning = storage.kind === "column" || storage.kind === "link" || storage.kind === "json";
  const { link, ties } = follow(scope, target, member, storage);
  const version = storage.kind === "localizations" ? undefined : localeOf(target, row, owning);
  return { target, link, where: sql`${and(ties, statusOf(target, row), version)}` };
};

/** The same for filters, where `localizations` means only the other locales of the document. */
export const reachOthers = (scope: Scope, name: string, status: AnyStatus): Reach => {
  const reached = reach(scope, name, status);
  const member = memberOf(scope.owner, name);
  if (member.kind !== "relation" || member.source.type !== "localizations") return reached;
  const isOther = sql`${reached.target.locale} <> ${scope.row.locale}`;
  return { ...reached, where: sql`${and(reached.where, isOther)}` };
};

/**
 * The same for a relation that leads to at most one row, whatever is stored; undefined for any other relation. It does
 * so if the row names its target in a column and the target's version is determined: a document has one version of each
 * status in each locale.
 */
export const reachOne = (scope: RowScope, name: string, status: AnyStatus): Reach | undefined => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "relation" || member.target === undefined) return undefined;
  if (storageOf(scope.build, member).kind !== "column") return undefined;
  const { draftAndPublish } = scope.build.schema.type(member.target).type;
  const isDetermined = status !== "either" || !draftAndPublish || scope.owner.type.draftAndPublish;
  return isDetermined ? reach(scope, name, status) : undefined;
};

/**
 * The same from the other end, without the row: the link names its version. Undefined unless the relation has a link
 * table on this side, and neither the row nor the target's version depends on the row's locale.
 */
export const reachLink = (scope: RowScope, name: string, status: AnyStatus) => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "relation" || member.target === undefined) return undefined;
  const storage = storageOf(scope.build, member);
  if (storage.kind !== "link" && storage.kind !== "fileLink") return undefined;
  const owner = scope.build.schema.type(member.target);
  const [one, other] = [scope.owner.type, owner.type];
  if (one.localized || (status === "either" && one.draftAndPublish && other.draftAndPublish)) return undefined;
  const target = scope.build.rows(member.target, status);
  const { link, key } = tieOf(target, one.uid, storage);
  if (!link) return undefined;
  // The key is the id of the row that has the link; the condition picks the target's version.
  return { target, link, id: key, where: and(statusOf(target), localeOf(target, scope, storage.kind === "link")) };
};

/** How the rows of a target refer to the row that leads to them: by a link table, or by a column of their own. */
export interface Tie {
  readonly link: LinkStep | undefined;
  /** The column with the key of the row that leads to them. */
  readonly key: AnyPgColumn;
  readonly sourceKey: "id" | "documentId";
  readonly condition: SQL | undefined;
  /** The column with the stored order of the list. */
  readonly position: AnyPgColumn | undefined;
}

/** For rows that do not name their targets themselves. */
export type TiedStorage = Exclude<Storage, { readonly kind: "column" | "json" }>;

/** Ties the rows of `target` to rows of the type `source`. */
export const tieOf = (target: RowScope, source: Uid, storage: TiedStorage): Tie => {
  if (storage.kind === "link" || storage.kind === "fileLink")
    return ownLink(target, storage.link, target.build.alias());
  if (storage.kind === "inverseLink") {
    const { link } = storage;
    const alias = target.build.alias();
    return {
      link: { table: link, alias, on: eq(columnIn(link.versionId, alias), target.id) },
      key: columnIn(link.documentId, alias),
      sourceKey: "documentId",
      condition: comesFrom(link, alias, source),
      position: link.inversePosition && columnIn(link.inversePosition, alias),
    };
  }
  const { column, typeColumn, position } = storage.kind === "localizations" ? NO_COLUMNS : storage;
  return {
    link: undefined,
    // All locales of the document: clients expect that a sort examines the row's own locale, too.
    key: column ? target.column(column) : target.documentId,
    sourceKey: "documentId",
    condition: typeColumn && isType(target.column(typeColumn), source),
    position: position && target.column(position),
  };
};

const ownLink = (target: RowScope, table: Link, alias: string): Tie => {
  const on =
    "fileId" in table
      ? eq(columnIn(table.fileId, alias), target.id)
      : eq(columnIn(table.documentId, alias), target.documentId);
  return {
    link: { table, alias, on },
    key: columnIn(table.versionId, alias),
    sourceKey: "id",
    condition: undefined,
    position: columnIn(table.position, alias),
  };
};

const NO_COLUMNS = { column: undefined, typeColumn: undefined, position: undefined };

/** Follows a relation from the row or component of `scope` to `target`. */
const follow = (
  scope: Scope,
  target: RowScope,
  { name, many }: RelationMember,
  storage: Storage,
): { readonly link: LinkStep | undefined; readonly ties: SQL | undefined } => {
  const row = scope.row;
  if (storage.kind === "json") {
    if (scope.kind === "row") throw new Error(`${name} has no storage`);
    return { link: undefined, ties: inJson(scope.value, name, many, target, storage.files) };
  }
  if (storage.kind === "column") {
    return { link: undefined, ties: eq(target[storage.files ? "id" : "documentId"], row.column(storage.column)) };
  }
  const { link, key, sourceKey, condition } = tieOf(target, row.owner.uid, storage);
  return { link, ties: and(eq(key, row[sourceKey]), condition) };
};

const inJson = (value: SQL, name: string, many: boolean, target: RowScope, files: boolean): SQL => {
  const key = target[files ? "id" : "documentId"];
  const one = jsonText(value, name);
  if (!many) return files ? sql`${key} = (${one})::integer` : sql`${key} = ${one}`;
  const list = sql`select value from json_array_elements_text(${jsonList(jsonMember(value, name))}) as listed(value)`;
  return files ? sql`${key}::text in (${list})` : sql`${key} in (${list})`;
};

/** Compares a type column with a uid. Uids are declared names, so they are safe in the SQL text. */
const isType = (column: AnyPgColumn, uid: Uid): SQL => {
  if (!/^[\w.:-]+$/.test(uid)) throw new Error(`Not a uid: ${uid}`);
  return sql`${column} = ${sql.raw(`'${uid}'`)}`;
};

/**
 * Restricts links of a relation to any type to those leading to documents of one type. The other side does not see
 * links to one version only.
 */
const comesFrom = (link: DocumentLinkTable | MorphLinkTable, alias: string, uid: Uid): SQL | undefined =>
  "documentType" in link
    ? and(isType(columnIn(link.documentType, alias), uid), isNull(columnIn(link.documentVersion, alias)))
    : undefined;
