import { isRecord } from "../../runtime/base/is-record.ts";

/** The documentId of a document that was read or written; empty where there is none. */
export const idOf = (document: unknown): string => (isRecord(document) ? String(document["documentId"]) : "");
