/** Persisted operations: clients name an operation that the server knows instead of sending its text. */
import { isRecord } from "../../base/is-record.ts";
import type { Config } from "../../config/config.ts";
import { ProtocolError } from "./protocol-error.ts";

type Given = Readonly<Record<string, unknown>>;

/** The text to run, as far as it is one: `undefined` when the client gave none. */
export type FindText = (given: Given) => unknown;

/** The name of an operation, in either of the places where clients put it. */
const nameOf = ({ documentId, extensions }: Given): string | undefined => {
  if (typeof documentId === "string") return documentId;
  const persistedQuery = isRecord(extensions) ? extensions["persistedQuery"] : undefined;
  const hash = isRecord(persistedQuery) ? persistedQuery["sha256Hash"] : undefined;
  return typeof hash === "string" ? hash : undefined;
};

const hasText = ({ query }: Given): boolean => query !== undefined && query !== null && query !== "";

/** Clients that meet this code send texts from then on. */
const withoutPersisted: FindText = (given) => {
  if (nameOf(given) !== undefined && !hasText(given)) {
    throw new ProtocolError(200, "PersistedQueryNotSupported", { code: "PERSISTED_QUERY_NOT_SUPPORTED" });
  }
  return given["query"];
};

/** How the text of an operation is found under a configuration. */
export const createFindText = (persisted: Config["graphql"]["persistedOperations"]): FindText => {
  if (persisted === undefined) return withoutPersisted;
  const documents = new Map(Object.entries(persisted.documents));
  const texts = new Set(documents.values());
  return (given) => {
    const { query } = given;
    const name = nameOf(given);
    const known = name === undefined ? undefined : documents.get(name);
    if (known !== undefined) return known;
    const isAllowed = !persisted.required || (typeof query === "string" && texts.has(query));
    if (hasText(given) && isAllowed) return query;
    // Clients that meet this code send the text too.
    if (name !== undefined)
      throw new ProtocolError(200, "PersistedQueryNotFound", { code: "PERSISTED_QUERY_NOT_FOUND" });
    if (!hasText(given)) return undefined;
    throw new ProtocolError(400, "Only persisted operations are allowed.", { code: "PERSISTED_QUERY_ONLY" });
  };
};
