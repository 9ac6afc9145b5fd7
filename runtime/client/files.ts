/** Uploaded files. */
import type { File } from "../schema/document.ts";
import type { Exact, Fields, Filters, FindQuery, Pagination, ReadDocument, Sort } from "../schema/typed/index.ts";
import type { InfoOf, ListAnswer } from "./answers.ts";
import type { Part } from "./content.ts";
import { segment } from "./http.ts";
import type { RequestOptions } from "./options.ts";
import { type OnProgress, watched } from "./upload.ts";

/** A file in the responses of the upload API. */
export interface UploadedFile extends File {
  /** Whether `url` is valid for a limited time only; always false for servers that were generated. */
  readonly isUrlSigned: boolean;
}

type Shown<Listed> = ReadDocument<File, Listed, {}, "published"> & Pick<UploadedFile, "isUrlSigned">;

/** Information about a file. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The most important point, in percent of width and height. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
  /** The id of the folder of a new file, for servers with folders. */
  readonly folder?: number | null;
}

/** Reports the progress of an upload. */
export interface Watched {
  readonly onProgress?: OnProgress;
}

/** Options of an upload. */
export interface UploadOptions extends Watched {
  /** For several files a list, in the order of the files. */
  readonly info?: FileInfo | readonly FileInfo[];
  /**
   * The attribute to which the files are attached: uid of the type, row id or documentId, and name. It is ignored
   * unless all three are given.
   */
  readonly ref?: string;
  readonly refId?: string | number;
  readonly field?: string;
}

/** Which files to read, and what to show of them. */
export interface FilesQuery<Listed> {
  readonly fields?: Listed;
  readonly filters?: Filters<File, "client">;
  readonly sort?: Sort<File, "client">;
  /** The first file; without `start` and `limit`, all files are read. */
  readonly start?: number;
  readonly limit?: number;
}

/** Files, addressed by their numeric `id`. */
export interface Files {
  /** Stores files, and returns them in their order. */
  upload(files: Blob | readonly Blob[], upload?: UploadOptions, options?: RequestOptions): Promise<UploadedFile[]>;
  /** Replaces the content of a file, which keeps its address. */
  replace(
    id: number,
    file: Blob,
    upload?: Watched & { readonly info?: FileInfo },
    options?: RequestOptions,
  ): Promise<UploadedFile>;
  /** Changes the information about a file. */
  update(id: number, info: FileInfo, options?: RequestOptions): Promise<UploadedFile>;
  find<const Listed extends Fields<File, "client"> = "*">(
    query?: FilesQuery<Listed>,
    options?: RequestOptions,
  ): Promise<Shown<Listed>[]>;
  findPage<const Listed extends Fields<File, "client"> = "*", const Paged extends Pagination = {}>(
    query?: Pick<
      FindQuery<File, Listed, never, never, "client", Paged & Exact<Paged, Pagination>>,
      "fields" | "filters" | "sort" | "pagination"
    >,
    options?: RequestOptions,
  ): Promise<ListAnswer<Shown<Listed>, InfoOf<Paged>>>;
  findOne(id: number, options?: RequestOptions): Promise<UploadedFile>;
  /** Deletes a file, and returns it. */
  delete(id: number, options?: RequestOptions): Promise<UploadedFile>;
}

/** Builds the form. Values come before files, because the server reads a form from its beginning. */
const formOf = (values: Readonly<Record<string, unknown>>, infos: readonly FileInfo[], files: readonly Blob[]) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) form.append(name, String(value));
  for (const info of infos) form.append("fileInfo", JSON.stringify(info));
  for (const file of files) form.append("files", file);
  return form;
};

const one = (id: number): string => `/upload/files/${segment(id)}`;

/** `/upload`. */
export const files = (): Part<Files> => (http) => {
  const send = async <Answered>(
    form: FormData,
    query: object,
    { onProgress }: Watched,
    options: RequestOptions | undefined,
  ): Promise<Answered> => {
    const through = onProgress && watched(form, http.send, onProgress);
    return http.request("POST", "/upload", { query, body: form, options, send: through });
  };
  return {
    upload: (given, { info = [], ref, refId, field, ...watch } = {}, options) => {
      const all = given instanceof Blob ? [given] : given;
      const infos = Array.isArray(info) ? info : [info];
      return send(formOf({ ref, refId, field }, infos, all), {}, watch, options);
    },
    replace: (id, file, { info, ...watch } = {}, options) =>
      send(formOf({}, info ? [info] : [], [file]), { id }, watch, options),
    update: (id, info, options) => send(formOf({}, [info], []), { id }, {}, options),
    find: async (query, options) => http.request("GET", "/upload/files", { query, options }),
    findPage: async (query, options) => http.request("GET", "/upload/files/page", { query, options }),
    findOne: async (id, options) => http.request("GET", one(id), { options }),
    delete: async (id, options) => http.request("DELETE", one(id), { options }),
  };
};
