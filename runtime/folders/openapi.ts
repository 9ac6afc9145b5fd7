/** Describes the routes of folders for the OpenAPI document. */
import { gone, jsonBody, operation, type RouteGroup, tagged } from "../openapi/endpoint.ts";
import { integer, list, orNull, ref, shape, text } from "../openapi/json-schema.ts";
import { parameterRef } from "../openapi/queries.ts";
import { plainSchema } from "../schema/validation/plain-schema.ts";
import { changedFolder, folderRoutes, move, newFolder } from "./feature.ts";

const folder = shape({ id: integer, name: text, parent: orNull(integer), path: text });
const page = shape({ data: list(ref("File")), "meta?": shape({ "pagination?": ref("Pagination") }) });

export const describeFolders = (): RouteGroup => ({
  routers: [folderRoutes()],
  descriptions: tagged("Files", {
    "GET /upload/folders": operation("findFolders", "All folders of the media library", list(folder)),
    "GET /upload/folders/:id/files": operation(
      "findFilesInFolder",
      "A page of the files in a folder; `top` stands for those in none",
      page,
      { parameters: ["sort", "pagination", "FileFilters"].map(parameterRef) },
    ),
    "POST /upload/folders": operation("createFolder", "Creates a folder", null, {
      body: jsonBody(plainSchema(newFolder)),
      answers: { 201: folder },
    }),
    "PUT /upload/folders/:id": operation("updateFolder", "Renames a folder, and moves it into another", folder, {
      body: jsonBody(plainSchema(changedFolder)),
    }),
    "DELETE /upload/folders/:id": operation(
      "deleteFolder",
      "Deletes an empty folder, and shows it for the last time",
      folder,
    ),
    "POST /upload/move": operation("moveFiles", "Moves files and folders into a folder, or to the top", null, {
      body: jsonBody(plainSchema(move)),
      ...gone,
    }),
  }),
});
