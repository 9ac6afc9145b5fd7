/** Tables of the runtime's own: part of the generated migrations like those of the content types. */
export { apiTokens, rolePermissions } from "./auth/tables.ts";
export { documents } from "./columns.ts";
export { files } from "./media/table.ts";
