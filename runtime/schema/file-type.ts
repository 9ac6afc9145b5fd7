import { defineContentType, type File } from "./content-type.ts";
import { files } from "./tables/files.ts";

/** The descriptor of uploaded files, for queries and responses. */
export const fileType = defineContentType<File>({
  uid: "plugin::upload.file",
  kind: "collectionType",
  singularName: "file",
  pluralName: "files",
  draftAndPublish: false,
  localized: false,
  table: files,
  attributes: {
    name: { type: "string", column: files.name },
    alternativeText: { type: "text", column: files.alternativeText },
    caption: { type: "text", column: files.caption },
    focalPoint: { type: "json", column: files.focalPoint },
    width: { type: "integer", column: files.width },
    height: { type: "integer", column: files.height },
    formats: { type: "json", column: files.formats },
    hash: { type: "string", column: files.hash },
    ext: { type: "string", column: files.ext },
    mime: { type: "string", column: files.mime },
    size: { type: "float", column: files.size },
    url: { type: "text", column: files.url },
    previewUrl: { type: "text", column: files.previewUrl },
    provider: { type: "string", column: files.provider },
    provider_metadata: { type: "json", column: files.providerMetadata },
  },
});
