/** The link-table rows of a batch of versions. */
import { getTableName } from "drizzle-orm";
import { numberOf, requiredText, type Session } from "../../runtime/database/database.ts";
import { attributesOf, isFileLink, isMorphToMany, isToMany } from "../../runtime/documents/attributes.ts";
import type {
  ContentType,
  DocumentLinkTable,
  FileLinkTable,
  MorphLinkTable,
} from "../../runtime/schema/content-type.ts";
import { append } from "../base/lists.ts";
import { quote } from "../migrate/sql.ts";

type AnyLink = DocumentLinkTable | MorphLinkTable;

export interface LinkedTarget {
  readonly documentId: string;
  /** Set if the relation is polymorphic. */
  readonly documentType: string | undefined;
  /** The one version that it targets, such as `draft en`; undefined if it targets the document. */
  readonly version: string | undefined;
  readonly inversePlace: number | undefined;
}

export type LinkRows = Awaited<ReturnType<typeof readLinkRows>>;

const readDocuments = async (session: Session, link: AnyLink, ids: readonly number[]) => {
  const isTyped = "documentType" in link;
  const name = isTyped ? quote(link.documentType.name) : "null::text";
  const only = isTyped ? quote(link.documentVersion.name) : "null::text";
  const place = link.inversePosition ? quote(link.inversePosition.name) : "null::int";
  const [version, document] = [quote(link.versionId.name), quote(link.documentId.name)];
  const rows = await session.rows(
    `select ${version}, ${document}, ${name}, ${only}, ${place} from ${quote(getTableName(link))}
     where ${version} = any($1::int[]) order by ${version}, ${quote(link.position.name)}, ${document}`,
    [ids],
  );
  const lists = new Map<number, LinkedTarget[]>();
  for (const [id, documentId, documentType, linked, inversePlace] of rows) {
    append(lists, numberOf(id), {
      documentId: requiredText(documentId),
      documentType: typeof documentType === "string" ? documentType : undefined,
      version: typeof linked === "string" ? linked : undefined,
      inversePlace: typeof inversePlace === "number" ? inversePlace : undefined,
    });
  }
  return lists;
};

const readFiles = async (session: Session, link: FileLinkTable, ids: readonly number[]) => {
  const [version, file] = [quote(link.versionId.name), quote(link.fileId.name)];
  const rows = await session.rows(
    `select ${version}, ${file} from ${quote(getTableName(link))}
     where ${version} = any($1::int[]) order by ${version}, ${quote(link.position.name)}, ${file}`,
    [ids],
  );
  const lists = new Map<number, number[]>();
  for (const [id, fileId] of rows) append(lists, numberOf(id), numberOf(fileId));
  return lists;
};

/** Reads the rows of all link tables of the type for versions with these ids. */
export const readLinkRows = async (session: Session, type: ContentType, ids: readonly number[]) => {
  const documents = new Map<AnyLink, ReadonlyMap<number, readonly LinkedTarget[]>>();
  const files = new Map<FileLinkTable, ReadonlyMap<number, readonly number[]>>();
  for (const [, attribute] of attributesOf(type)) {
    if (isToMany(attribute) || isMorphToMany(attribute)) {
      documents.set(attribute.link, await readDocuments(session, attribute.link, ids));
    } else if (isFileLink(attribute)) files.set(attribute.link, await readFiles(session, attribute.link, ids));
  }
  return {
    documents: (link: AnyLink, version: number) => documents.get(link)?.get(version) ?? [],
    files: (link: FileLinkTable, version: number) => files.get(link)?.get(version) ?? [],
  };
};
