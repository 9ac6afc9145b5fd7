/** Sending files with an operation, which the entity format knows. */
import type { GraphQLResolveInfo } from "graphql";
import { readTarget } from "../../media/attach.ts";
import { readOneFileInfo } from "../../media/file-info.ts";
import type { FileRecord } from "../../media/record.ts";
import { storeParts } from "../../media/store-parts.ts";
import type { MutationFields } from "../builder.ts";
import type { GraphqlContext } from "../context.ts";
import { show } from "../operations/reads.ts";
import { UPLOAD_FILE, UPLOAD_FILE_UID } from "../upload-file.ts";
import { type UploadedFile, uploadScalar } from "../uploaded-file.ts";
import { operation } from "./access.ts";
import { fileInfoInput, UPLOAD_CONTROLLER } from "./file-fields.ts";
import { entityResponse } from "./responses.ts";
import type { Scope } from "./scope.ts";

interface TargetArguments {
  readonly ref?: string | null | undefined;
  readonly refId?: string | null | undefined;
  readonly field?: string | null | undefined;
}

/** Where the files go besides the list of files: an attribute of an entry. */
const targetArgs = (t: MutationFields) => ({ refId: t.arg.id(), ref: t.arg.string(), field: t.arg.string() });

const store = (
  { services, caller }: GraphqlContext,
  given: TargetArguments,
  files: readonly UploadedFile[],
  info: unknown,
): Promise<FileRecord[]> => {
  const target = readTarget(services, caller, given);
  const infos = [readOneFileInfo(info ? [info] : []) ?? {}];
  return storeParts(
    services,
    files.map(({ part }) => part),
    infos,
    target,
  );
};

export const addUploadFields = (scope: Scope): void => {
  const { builder, catalog } = scope;
  builder.addScalarType("Upload", uploadScalar);
  const type = entityResponse(scope, UPLOAD_FILE);
  const can = `${UPLOAD_CONTROLLER}.upload`;
  const extensions = operation({ uid: UPLOAD_FILE_UID, action: "create" });
  const shown = (context: GraphqlContext, info: GraphQLResolveInfo) =>
    show(scope, catalog.type(UPLOAD_FILE_UID), context, info);
  builder.mutationFields((t) => ({
    upload: t.field({
      type,
      nullable: false,
      can,
      extensions,
      args: {
        ...targetArgs(t),
        info: t.arg({ type: fileInfoInput(scope) }),
        file: t.arg({ type: "Upload", required: true }),
      },
      resolve: async (_root, { file, info, ...target }, context, resolveInfo) => {
        const read = shown(context, resolveInfo);
        const [stored] = await store(context, target, [file], info);
        return stored ? read(stored.documentId) : { data: null };
      },
    }),
    multipleUpload: t.field({
      type: [type],
      nullable: { list: false, items: true },
      can,
      extensions,
      args: { ...targetArgs(t), files: t.arg({ type: t.arg.listRef("Upload", { required: false }), required: true }) },
      resolve: async (_root, { files, ...target }, context, resolveInfo) => {
        const read = shown(context, resolveInfo);
        const given = files.flatMap((file) => file ?? []);
        const stored = await store(context, target, given, undefined);
        return Promise.all(stored.map(({ documentId }) => read(documentId)));
      },
    }),
  }));
};
