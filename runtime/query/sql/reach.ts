/**
 * How a relation or media attribute leads from one row to others.
 * A relation points from a version to a document; which version of that document it means depends on the status and
 * locale of the version that it starts from.
 */
import { aliasedTable, and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
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
import { input } from "./compile.ts";
import {
  type Build,
  columnIn,
  jsonList,
  jsonMember,
  jsonText,
  localeColumn,
  memberOf,
  type RowScope,
  rowOf,
  rowScope,
  type Scope,
  systemColumn,
} from "./scope.ts";

type Link = DocumentLinkTable | MorphLinkTable | FileLinkTable;

/** A link table between source and target, under an alias of its own. */
export interface LinkStep {
  readonly table: Link;
  readonly alias: string;
  /** Joins the link's row to the target. */
  readonly on: SQL;
}

export const linkTable = ({ table, alias }: LinkStep): PgTable => aliasedTable(table, alias);

export interface Reach {
  readonly target: RowScope;
  readonly link: LinkStep | undefined;
  /** Ties source, link and target together, and picks the version of the target. */
  readonly where: SQL;
}

/** How the attribute is stored, seen from the side that is asked. */
export type Storage =
  | { readonly kind: "column"; readonly column: AnyPgColumn; readonly files: boolean }
  | { readonly kind: "link"; readonly link: DocumentLinkTable | MorphLinkTable }
  | { readonly kind: "fileLink"; readonly link: FileLinkTable }
  | {
      readonly kind: "inverseColumn";
      readonly column: AnyPgColumn;
      readonly typeColumn: AnyPgColumn | undefined;
      readonly position: AnyPgColumn | undefined;
    }
  | {
      readonly kind: "inverseLink";
      readonly link: DocumentLinkTable;
      readonly typeColumn: AnyPgColumn | undefined;
    }
  | { readonly kind: "json"; readonly files: boolean }
  | { readonly kind: "localizations" };

/** Finds where the links of a relation stand; inverse sides look at the attribute of the target that keeps them. */
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

/** Relations inside components have no storage of their own. */
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
    if ("link" in source) {
      const typeColumn = "documentType" in source.link ? source.link.documentType : undefined;
      return { kind: "inverseLink", link: source.link, typeColumn };
    }
  }
  throw new Error(`${member.name} is the other side of no stored relation of ${member.target}`);
};

/** Joins what the relation `name` leads to, from the row or component of `scope`. */
export const reach = (build: Build, scope: Scope, name: string, status: AnyStatus): Reach => {
  const member = memberOf(scope.owner, name);
  if (member.kind !== "relation" || member.target === undefined) throw new Error(`${name} leads to no type`);
  const target = rowScope(build, build.schema.type(member.target), status);
  const storage = storageOf(build, member);
  const row = rowOf(scope);
  const owning = storage.kind === "column" || storage.kind === "link" || storage.kind === "json";
  const { link, ties } = tie(build, scope, row, target, storage, name, member.many);
  const version = storage.kind === "localizations" ? undefined : localeOf(target, row, owning);
  return { target, link, where: sql`${and(ties, statusOf(target, row), version)}` };
};

interface Tie {
  readonly link: LinkStep | undefined;
  readonly ties: SQL | undefined;
}

const tie = (
  build: Build,
  scope: Scope,
  row: RowScope,
  target: RowScope,
  storage: Storage,
  name: string,
  many: boolean,
): Tie => {
  const documentId = systemColumn(target, "documentId");
  switch (storage.kind) {
    case "column": {
      const key = storage.files ? systemColumn(target, "id") : documentId;
      return { link: undefined, ties: eq(key, columnIn(storage.column, row.alias)) };
    }
    case "link":
    case "fileLink":
      return forward(build, row, target, storage);
    case "inverseColumn": {
      const type = storage.typeColumn && isType(columnIn(storage.typeColumn, target.alias), row.owner.uid);
      const source = systemColumn(row, "documentId");
      return { link: undefined, ties: and(eq(columnIn(storage.column, target.alias), source), type) };
    }
    case "inverseLink": {
      const alias = build.aliases.next();
      const type = storage.typeColumn && isType(columnIn(storage.typeColumn, alias), row.owner.uid);
      const on = sql`${eq(columnIn(storage.link.versionId, alias), systemColumn(target, "id"))}`;
      const source = eq(columnIn(storage.link.documentId, alias), systemColumn(row, "documentId"));
      return { link: { table: storage.link, alias, on }, ties: and(source, type) };
    }
    case "localizations":
      // Filters and sort look into every locale of the document, its own too.
      return { link: undefined, ties: eq(documentId, systemColumn(row, "documentId")) };
    case "json": {
      if (scope.kind === "row") throw new Error(`${name} has no storage`);
      return { link: undefined, ties: inJson(scope.value, name, many, target, storage.files) };
    }
  }
};

const forward = (
  build: Build,
  row: RowScope,
  target: RowScope,
  storage: Extract<Storage, { kind: "link" | "fileLink" }>,
): Tie => {
  const alias = build.aliases.next();
  const on =
    storage.kind === "link"
      ? eq(columnIn(storage.link.documentId, alias), systemColumn(target, "documentId"))
      : eq(columnIn(storage.link.fileId, alias), systemColumn(target, "id"));
  const ties = eq(columnIn(storage.link.versionId, alias), systemColumn(row, "id"));
  return { link: { table: storage.link, alias, on: sql`${on}` }, ties };
};

const inJson = (value: SQL, name: string, many: boolean, target: RowScope, files: boolean): SQL => {
  const key = systemColumn(target, files ? "id" : "documentId");
  const one = jsonText(value, name);
  if (!many) return files ? sql`${key} = (${one})::integer` : sql`${key} = ${one}`;
  const list = sql`select value from json_array_elements_text(${jsonList(jsonMember(value, name))}) as listed(value)`;
  return files ? sql`${key}::text in (${list})` : sql`${key} in (${list})`;
};

/** Uids are declared names, so they can stand in the text. */
export const isType = (column: AnyPgColumn, uid: Uid): SQL => {
  if (!/^[\w.:-]+$/.test(uid)) throw new Error(`Not a uid: ${uid}`);
  return sql`${column} = ${sql.raw(`'${uid}'`)}`;
};

/** Keeps to one status; rows that may be of either status lead to versions of their own status. */
export const statusOf = (target: RowScope, from?: RowScope): SQL | undefined => {
  if (!target.owner.type.draftAndPublish) return undefined;
  const publishedAt = systemColumn(target, "publishedAt");
  if (target.status === "draft") return isNull(publishedAt);
  if (target.status === "published") return isNotNull(publishedAt);
  if (from?.owner.type.draftAndPublish !== true) return undefined;
  return sql`(${publishedAt} is null) = (${systemColumn(from, "publishedAt")} is null)`;
};

/** The same locale when both sides have locales; the default one when only the target that is pointed at has. */
const localeOf = (target: RowScope, from: RowScope, owning: boolean): SQL | undefined => {
  if (!target.owner.type.localized) return undefined;
  if (from.owner.type.localized) return eq(localeColumn(target), localeColumn(from));
  return owning ? eq(localeColumn(target), input("defaultLocale")) : undefined;
};
