/** Mutations of uploaded files: changing their information, deleting them, and in the entity format uploading. */
import type { GraphQLResolveInfo } from "graphql";
import { NotFoundError } from "../../base/errors.ts";
import { parseId, readTarget } from "../../media/attach.ts";
import { readOneFileInfo } from "../../media/file-info.ts";
import { type FileRecord, findFile, findFileByDocumentId } from "../../media/record.ts";
import { storeParts } from "../../media/store-parts.ts";
import { deleteFile, updateFileInfo } from "../../media/store.ts";
import type { MutationFields } from "../builder.ts";
import type { GraphqlContext, Node } from "../context.ts";
import type { Action } from "../extension/shadow-crud.ts";
import { show } from "../operations/reads.ts";
import { UPLOAD_CONTROLLER, UPLOAD_FILE, UPLOAD_FILE_UID } from "../upload-file.ts";
import { type UploadedFile, uploadScalar } from "../uploaded-file.ts";
import { operation } from "./guards.ts";
import { documentResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

/** The options that these mutations share. */
const common = (scope: Scope, action: Action, permission: "upload" | "destroy") => ({
  type: documentResponse(scope, UPLOAD_FILE),
  can: `${UPLOAD_CONTROLLER}.${permission}`,
  extensions: operation({ uid: UPLOAD_FILE_UID, action }),
});

/** Checks the selection, and returns the function that shows a file accordingly. */
const shownBy = (scope: Scope, context: GraphqlContext, info: GraphQLResolveInfo): ((id: string) => Promise<Node>) =>
  show({ scope, declaration: scope.catalog.type(UPLOAD_FILE_UID), context, info }, scope.format === "entity");

/** Finds a file by id: the number of its row, or its documentId. */
const fileOf = async ({ services: { database } }: GraphqlContext, id: string): Promise<FileRecord | undefined> => {
  const rowId = parseId(id);
  return rowId === undefined ? findFileByDocumentId(database, id) : findFile(database, rowId);
};

/** Adds the file operations of the format, under its names. */
export const addFileFields = (scope: Scope): void => {
  const isEntity = scope.format === "entity";
  scope.builder.mutationFields((t) => ({
    [isEntity ? "updateFileInfo" : "updateUploadFile"]: change(scope, t),
    // The entity format also has deletion under a second name, which follows the pattern of content types.
    ...(isEntity ? { removeFile: deletion(scope, t) } : {}),
    deleteUploadFile: deletion(scope, t),
  }));
  if (isEntity && scope.shadow.offers(UPLOAD_FILE_UID, "create")) addUploads(scope);
};

const infoArg = ({ refs }: Scope, t: MutationFields) =>
  t.arg({
    type: refs.defineInput("FileInfoInput", (t) => ({
      name: t.string(),
      alternativeText: t.string(),
      caption: t.string(),
    })),
  });

const change = (scope: Scope, t: MutationFields) =>
  t.field({
    ...common(scope, "update", "upload"),
    nullable: false,
    args: { id: t.arg.id({ required: true }), info: infoArg(scope, t) },
    resolve: async (_root, { id, info }, context, resolveInfo) => {
      const shown = shownBy(scope, context, resolveInfo);
      const file = await fileOf(context, id);
      if (!file) throw new NotFoundError("Entity not found");
      await updateFileInfo(context.services, file.id, info ?? undefined);
      return shown(file.documentId);
    },
  });

/** Deletes a file, and answers with the file as it was; null if there is none. */
const deletion = (scope: Scope, t: MutationFields) =>
  t.field({
    ...common(scope, "delete", "destroy"),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, resolveInfo) => {
      const file = await fileOf(context, id);
      if (!file) return null;
      const shown = await shownBy(scope, context, resolveInfo)(file.documentId);
      await deleteFile(context.services, file.id, context.caller);
      return shown;
    },
  });

/** The attribute of an entry to attach the files to. */
const targetArgs = (t: MutationFields) => ({ refId: t.arg.id(), ref: t.arg.string(), field: t.arg.string() });

const store = (
  { services, caller }: GraphqlContext,
  target: Parameters<typeof readTarget>[2],
  files: readonly UploadedFile[],
  info: unknown,
): Promise<FileRecord[]> => {
  const attachment = readTarget(services, caller, target);
  const infos = [readOneFileInfo(info ? [info] : []) ?? {}];
  const parts = files.map(({ part }) => part);
  return storeParts(services, parts, infos, attachment);
};

const addUploads = (scope: Scope): void => {
  scope.builder.addScalarType("Upload", uploadScalar);
  const { type, ...options } = common(scope, "create", "upload");
  scope.builder.mutationFields((t) => ({
    upload: t.field({
      ...options,
      type,
      nullable: false,
      args: { ...targetArgs(t), info: infoArg(scope, t), file: t.arg({ type: "Upload", required: true }) },
      resolve: async (_root, { file, info, ...target }, context, resolveInfo) => {
        const read = shownBy(scope, context, resolveInfo);
        const [stored] = await store(context, target, [file], info);
        return stored ? read(stored.documentId) : { data: null };
      },
    }),
    multipleUpload: t.field({
      ...options,
      type: [type],
      nullable: { list: false, items: true },
      args: { ...targetArgs(t), files: t.arg({ type: t.arg.listRef("Upload", { required: false }), required: true }) },
      resolve: async (_root, { files, ...target }, context, resolveInfo) => {
        const read = shownBy(scope, context, resolveInfo);
        const given = files.flatMap((file) => file ?? []);
        const stored = await store(context, target, given, undefined);
        return Promise.all(stored.map(({ documentId }) => read(documentId)));
      },
    }),
  }));
};
