import { isRecord } from "../../runtime/base/is-record.ts";

/** The documentId of a document that was read or written; empty where there is none. */
export const idOf = (document: unknown): string => (isRecord(document) ? String(document["documentId"]) : "");

/** The documentIds in a populated list, sorted. */
export const idsIn = (document: unknown, name: string): string[] => {
  const list = isRecord(document) ? document[name] : undefined;
  return Array.isArray(list) ? list.map(idOf).toSorted() : [];
};
