/** Mutations of uploaded files: what is said of them, deleting them, and in the entity format sending them. */
import type { GraphQLResolveInfo } from "graphql";
import { NotFoundError } from "../../base/errors.ts";
import { parseId } from "../../media/attach.ts";
import { type FileRecord, findFile, findFileByDocumentId } from "../../media/record.ts";
import { deleteFile, updateFileInfo } from "../../media/store.ts";
import type { InputRef, MutationFields, ObjectRef } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { Node } from "../node.ts";
import { show } from "../operations/reads.ts";
import { UPLOAD_FILE, UPLOAD_FILE_UID } from "../upload-file.ts";
import { operation } from "./access.ts";
import { documentResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

export const UPLOAD_CONTROLLER = "plugin::upload.content-api";

export const fileInfoInput = (scope: Scope): InputRef =>
  scope.refs.defineInput("FileInfoInput", (t) => ({
    name: t.string(),
    alternativeText: t.string(),
    caption: t.string(),
  }));

/** What a file is answered as, and how it comes to that. */
interface Answer {
  readonly type: ObjectRef;
  /** Checks what is selected, and returns what shows a file so. */
  readonly show: (context: GraphqlContext, info: GraphQLResolveInfo) => (documentId: string) => Promise<Node>;
}

const answerOf = (scope: Scope): Answer => {
  const declaration = scope.catalog.type(UPLOAD_FILE_UID);
  return {
    type: documentResponse(scope, UPLOAD_FILE),
    show: (context, info) => show(scope, declaration, context, info, scope.format === "entity"),
  };
};

/** The file that an id means: the number of its row, or its documentId. */
const fileOf = async ({ services: { database } }: GraphqlContext, id: string): Promise<FileRecord | undefined> => {
  const rowId = parseId(id);
  return rowId === undefined ? findFileByDocumentId(database, id) : findFile(database, rowId);
};

const named = <Field>(names: readonly string[], field: () => Field) =>
  Object.fromEntries(names.map((name) => [name, field()]));

/** Adds what each format knows of files, under its names. */
export const addFileFields = (scope: Scope): void => {
  // The entity format knows deletion under the name that files share with content types too.
  const [changing, deleting] =
    scope.format === "entity"
      ? [["updateFileInfo"], ["removeFile", "deleteUploadFile"]]
      : [["updateUploadFile"], ["deleteUploadFile"]];
  scope.builder.mutationFields((t) => ({
    ...named(changing, () => change(scope, t, answerOf(scope))),
    ...named(deleting, () => deletion(t, answerOf(scope))),
  }));
};

const change = (scope: Scope, t: MutationFields, { type, show }: Answer) =>
  t.field({
    type,
    nullable: false,
    can: `${UPLOAD_CONTROLLER}.upload`,
    extensions: operation({ uid: UPLOAD_FILE_UID, action: "update" }),
    args: { id: t.arg.id({ required: true }), info: t.arg({ type: fileInfoInput(scope) }) },
    resolve: async (_root, { id, info }, context, resolveInfo) => {
      const shown = show(context, resolveInfo);
      const file = await fileOf(context, id);
      if (!file) throw new NotFoundError("Entity not found");
      await updateFileInfo(context.services, file.id, info ?? undefined);
      return shown(file.documentId);
    },
  });

/** Deletes a file and answers with it as it was; null when there is none. */
const deletion = (t: MutationFields, { type, show }: Answer) =>
  t.field({
    type,
    can: `${UPLOAD_CONTROLLER}.destroy`,
    extensions: operation({ uid: UPLOAD_FILE_UID, action: "delete" }),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, resolveInfo) => {
      const file = await fileOf(context, id);
      if (!file) return null;
      const shown = await show(context, resolveInfo)(file.documentId);
      await deleteFile(context.services, file.id);
      return shown;
    },
  });
