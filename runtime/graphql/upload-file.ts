/** Uploaded files: a type of the runtime's own, declared like those that are generated. */
import { fileType } from "../schema/file-type.ts";
import { float, int, json, objectType, string, type TypeDeclaration } from "./declaration.ts";

const CONTROLLER = "plugin::upload.content-api";

export const UploadFile: TypeDeclaration = {
  ...objectType({
    name: "UploadFile",
    one: "uploadFile",
    many: "uploadFiles",
    type: fileType,
    fields: () => ({
      name: string(),
      alternativeText: string(),
      caption: string(),
      focalPoint: json(),
      width: int(),
      height: int(),
      formats: json(),
      hash: string(),
      ext: string(),
      mime: string(),
      size: float(),
      url: string(),
      previewUrl: string(),
      provider: string(),
      provider_metadata: json(),
    }),
  }),
  actions: { find: `${CONTROLLER}.find`, findOne: `${CONTROLLER}.findOne` },
};
