/** Mutations of uploaded files. Their bytes come by REST; GraphQL changes what is said of them, and deletes them. */
import { NotFoundError } from "../../errors.ts";
import { parseId } from "../../media/attach.ts";
import { type FileRecord, findFile, findFileByDocumentId } from "../../media/record.ts";
import { deleteFile, updateFileInfo } from "../../media/store.ts";
import type { InputRef, MutationFields } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { Operations } from "../operations/operations.ts";
import { UploadFile } from "../upload-file.ts";
import { requires } from "./access.ts";
import { typeObject } from "./content-type.ts";
import { subjectOf } from "./names.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

const CONTROLLER = "plugin::upload.content-api";

const fileInfo = (scope: Scope): InputRef =>
  scope.refs.implementedInput("FileInfoInput", (ref) =>
    ref.implement({
      fields: (t) => ({
        name: t.string(),
        alternativeText: t.string(),
        caption: t.string(),
      }),
    }),
  );

/** The file that an id means: the number of its row, or its documentId. */
const fileOf = async ({ services: { database } }: GraphqlContext, id: string): Promise<FileRecord | undefined> => {
  const rowId = parseId(id);
  return rowId === undefined ? findFileByDocumentId(database, id) : findFile(database, rowId);
};

/** Adds what each format knows of files. */
export const addFileFields = (scope: Scope, operations: Operations): void => {
  if (scope.format === "entity") addEntityMutations(scope, operations);
  else addFlatMutations(scope, operations);
};

const addFlatMutations = (scope: Scope, { showBare }: Operations): void =>
  scope.builder.mutationFields((t) => ({
    updateUploadFile: t.field({
      type: typeObject(scope, UploadFile),
      extensions: requires(`${CONTROLLER}.upload`),
      args: { id: t.arg.id({ required: true }), info: t.arg({ type: fileInfo(scope) }) },
      resolve: async (_root, { id, info }, context, resolveInfo) => {
        const file = await fileOf(context, id);
        if (!file) throw new NotFoundError("Entity not found");
        await updateFileInfo(context.services, file.id, info ?? undefined);
        return showBare(UploadFile, file.documentId, context, resolveInfo);
      },
    }),
    deleteUploadFile: t.field({
      type: typeObject(scope, UploadFile),
      nullable: true,
      extensions: requires(`${CONTROLLER}.destroy`),
      args: { id: t.arg.id({ required: true }) },
      resolve: async (_root, { id }, context, resolveInfo) => {
        const file = await fileOf(context, id);
        if (!file) return null;
        const shown = await showBare(UploadFile, file.documentId, context, resolveInfo);
        await deleteFile(context.services, file.id);
        return shown;
      },
    }),
  }));

const addEntityMutations = (scope: Scope, operations: Operations): void =>
  scope.builder.mutationFields((t) => ({
    updateFileInfo: t.field({
      type: entityResponse(scope, subjectOf(scope, UploadFile)),
      extensions: requires(`${CONTROLLER}.upload`),
      args: { id: t.arg.id({ required: true }), info: t.arg({ type: fileInfo(scope) }) },
      resolve: async (_root, { id, info }, context, resolveInfo) => {
        const file = await fileOf(context, id);
        if (!file) throw new NotFoundError("Entity not found");
        await updateFileInfo(context.services, file.id, info ?? undefined);
        return operations.show(UploadFile, file.documentId, context, resolveInfo);
      },
    }),
    removeFile: deletion(scope, t, operations),
    // The name that files share with content types.
    deleteUploadFile: deletion(scope, t, operations),
  }));

/** Deletes a file and answers with it as it was; null when there is none. */
const deletion = (scope: Scope, t: MutationFields, { show }: Operations) =>
  t.field({
    type: entityResponse(scope, subjectOf(scope, UploadFile)),
    nullable: true,
    extensions: requires(`${CONTROLLER}.destroy`),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, resolveInfo) => {
      const file = await fileOf(context, id);
      if (!file) return null;
      const shown = await show(UploadFile, file.documentId, context, resolveInfo);
      await deleteFile(context.services, file.id);
      return shown;
    },
  });
