/** Finds and deletes the content of a project, for `cms seed --reset`. Users, roles and tokens stay. */
import { z } from "zod";
import { anyDocuments } from "../../documents/create-documents.ts";
import type { Services } from "../../http/context.ts";
import { deleteFile } from "../../media/store.ts";
import type { Uid } from "../../schema/content-type.ts";

export interface Content {
  readonly documents: readonly (readonly [uid: Uid, documentId: string])[];
  readonly files: readonly number[];
}

const documentRow = z.tuple([z.string(), z.string()]);

/** All documents of the types that the project declares, and all files. */
export const findContent = async ({ database, registry }: Services): Promise<Content> => {
  const uids = Object.keys(registry.contentTypes).filter((uid) => uid.startsWith("api::"));
  const found = await database.rows(
    "select type, document_id from documents where type = any($1::text[]) order by 1, 2",
    [uids],
  );
  const files = await database.rows("select id from files order by id");
  return {
    documents: found.flatMap((row) => {
      const [uid, documentId] = documentRow.parse(row);
      return registry.has(uid) ? [[uid, documentId] as const] : [];
    }),
    files: files.map(([id]) => Number(id)),
  };
};

/** Deletes content in all locales and versions through the API, so that hooks run and stored files are deleted. */
export const deleteContent = async (
  services: Services,
  { documents, files }: Content,
  onStep: (subject: string) => void,
): Promise<void> => {
  const service = anyDocuments(services);
  for (const [uid, documentId] of documents) {
    onStep(`${uid} ${documentId}`);
    await service(uid).delete(documentId, { locale: "*" });
  }
  for (const id of files) {
    onStep(`file ${id}`);
    await deleteFile(services, id);
  }
};
