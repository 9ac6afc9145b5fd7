/** Uploaded files: a built-in type, declared like the generated ones. */
import { fileType } from "../schema/file-type.ts";
import type { Builder } from "./builder.ts";

/** The prefix of the permissions that its operations require. */
export const UPLOAD_CONTROLLER = "plugin::upload.content-api";

/** The name of its object type. */
export const UPLOAD_FILE = "UploadFile";
export const UPLOAD_FILE_UID = fileType.uid;

export const uploadFileGraphql = (builder: Builder): void => {
  builder.contentType("UploadFile", {
    type: fileType,
    fields: (t) => ({
      name: t.exposeString("name", { nullable: false }),
      alternativeText: t.exposeString("alternativeText"),
      caption: t.exposeString("caption"),
      focalPoint: t.expose("focalPoint", { type: "JSON" }),
      width: t.exposeInt("width"),
      height: t.exposeInt("height"),
      formats: t.expose("formats", { type: "JSON" }),
      hash: t.exposeString("hash", { nullable: false }),
      ext: t.exposeString("ext"),
      mime: t.exposeString("mime", { nullable: false }),
      size: t.exposeFloat("size", { nullable: false }),
      url: t.exposeString("url", { nullable: false }),
      previewUrl: t.exposeString("previewUrl"),
      provider: t.exposeString("provider", { nullable: false }),
      provider_metadata: t.expose("provider_metadata", { type: "JSON" }),
    }),
  });

  builder.queryFields((t) => ({
    uploadFile: t.findOne("UploadFile", { can: `${UPLOAD_CONTROLLER}.findOne` }),
    uploadFiles: t.findMany("UploadFile", { can: `${UPLOAD_CONTROLLER}.find` }),
    uploadFiles_connection: t.findConnection("UploadFile", { can: `${UPLOAD_CONTROLLER}.find` }),
  }));
};
