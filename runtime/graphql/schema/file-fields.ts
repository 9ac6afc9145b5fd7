/** Mutations of uploaded files: what is said of them, deleting them, and in the entity format sending them. */
import type { GraphQLResolveInfo } from "graphql";
import { NotFoundError } from "../../base/errors.ts";
import { parseId } from "../../media/attach.ts";
import { type FileRecord, findFile, findFileByDocumentId } from "../../media/record.ts";
import { deleteFile, updateFileInfo } from "../../media/store.ts";
import type { InputRef, MutationFields, Node, ObjectRef } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import type { Operations } from "../operations/operations.ts";
import { UploadFile } from "../upload-file.ts";
import { requires } from "./access.ts";
import { subjectOf } from "./names.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

export const UPLOAD_CONTROLLER = "plugin::upload.content-api";

export const fileInfoInput = (scope: Scope): InputRef =>
  scope.refs.implementedInput("FileInfoInput", (ref) =>
    ref.implement({
      fields: (t) => ({
        name: t.string(),
        alternativeText: t.string(),
        caption: t.string(),
      }),
    }),
  );

/** What a file is answered as, and how it comes to that. */
interface Answer {
  readonly type: ObjectRef;
  readonly show: (documentId: string, context: GraphqlContext, info: GraphQLResolveInfo) => Promise<Node>;
}

const answerOf = (scope: Scope, { show, showBare }: Operations): Answer => {
  const entity = scope.format === "entity";
  const shown = entity ? show : showBare;
  return {
    type: entity ? entityResponse(scope, subjectOf(scope, UploadFile)) : scope.make.object(UploadFile),
    show: (documentId, context, info) => shown(UploadFile, documentId, context, info),
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
export const addFileFields = (scope: Scope, operations: Operations): void => {
  const { uid } = UploadFile.type;
  // The entity format knows deletion under the name that files share with content types too.
  const [changing, deleting] =
    scope.format === "entity"
      ? [["updateFileInfo"], ["removeFile", "deleteUploadFile"]]
      : [["updateUploadFile"], ["deleteUploadFile"]];
  scope.builder.mutationFields((t) => ({
    ...(scope.shadow.offers(uid, "update") ? named(changing, () => change(scope, t, answerOf(scope, operations))) : {}),
    ...(scope.shadow.offers(uid, "delete") ? named(deleting, () => deletion(t, answerOf(scope, operations))) : {}),
  }));
};

const change = (scope: Scope, t: MutationFields, { type, show }: Answer) =>
  t.field({
    type,
    extensions: requires(`${UPLOAD_CONTROLLER}.upload`),
    args: { id: t.arg.id({ required: true }), info: t.arg({ type: fileInfoInput(scope) }) },
    resolve: async (_root, { id, info }, context, resolveInfo) => {
      const file = await fileOf(context, id);
      if (!file) throw new NotFoundError("Entity not found");
      await updateFileInfo(context.services, file.id, info ?? undefined);
      return show(file.documentId, context, resolveInfo);
    },
  });

/** Deletes a file and answers with it as it was; null when there is none. */
const deletion = (t: MutationFields, { type, show }: Answer) =>
  t.field({
    type,
    nullable: true,
    extensions: requires(`${UPLOAD_CONTROLLER}.destroy`),
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, resolveInfo) => {
      const file = await fileOf(context, id);
      if (!file) return null;
      const shown = await show(file.documentId, context, resolveInfo);
      await deleteFile(context.services, file.id);
      return shown;
    },
  });
