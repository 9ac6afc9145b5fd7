/** Entries of the audit log before they are stored. */
import { userInfo, hostname } from "node:os";
import type { Caller } from "../access/caller.ts";
import type { Bound, Statement } from "../database/database.ts";
import type { Act } from "../documents/acts.ts";

/** Who did something. */
export interface Author {
  readonly kind: "user" | "token" | "public" | "code" | "command";
  readonly id: string | null;
  readonly name: string | null;
}

/** The author of what the code of the project does in a server. */
export const CODE: Author = { kind: "code", id: null, name: null };

const accountName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // Containers may run under a user id without a name.
    return String(process.getuid?.() ?? "unknown");
  }
};

/** The author of what a command such as `cms migrate` does. */
export const commandAuthor = (command: string): Author => ({
  kind: "command",
  id: command,
  name: `${accountName()}@${hostname()}`,
});

/** The author for a caller; the application itself is `code`. */
export const authorOf = ({ kind, userDocumentId, tokenId }: Caller, code: Author): Author => {
  if (kind === "system") return code;
  return { kind, id: userDocumentId ?? (tokenId === undefined ? null : String(tokenId)), name: null };
};

export interface Entry extends Act {
  readonly by: Author;
  readonly address: string | null;
  readonly requestId: string | null;
}

export const entryOf = (act: Act, caller: Caller, code: Author): Entry => ({
  ...act,
  by: authorOf(caller, code),
  address: caller.origin?.address ?? null,
  requestId: caller.origin?.requestId ?? null,
});

const LISTS = [
  "action",
  "by_kind",
  "by_id",
  "by_name",
  "subject_type",
  "subject_id",
  "subject_name",
  "address",
  "request_id",
  "details",
] as const;

/** Inserts any number of entries. */
const INSERTION: Statement = {
  text: `insert into audit_log (at, ${LISTS.join(", ")})
  select clock_timestamp() at time zone 'utc', ${LISTS.map((name) => (name === "details" ? "details::json" : name)).join(", ")}
  from unnest(${LISTS.map((_, index) => `$${index + 1}::text[]`).join(", ")}) as entry(${LISTS.join(", ")})`,
  parameters: LISTS,
};

/** PostgreSQL cannot store this character. */
const clean = (text: string | null | undefined): string | null => text?.replaceAll("\0", "") ?? null;

const valuesOf = ({ action, by, subject, address, requestId, details = {} }: Entry) => ({
  action,
  by_kind: by.kind,
  by_id: by.id,
  by_name: by.name,
  subject_type: subject?.type ?? null,
  subject_id: clean(subject?.id),
  subject_name: clean(subject?.name),
  address,
  request_id: requestId,
  details: clean(JSON.stringify(details).replaceAll(String.raw`\u0000`, "")),
});

/** The statement that stores entries; none if there are none. */
export const insertion = (entries: readonly Entry[]): readonly Bound[] => {
  if (entries.length === 0) return [];
  const rows = entries.map(valuesOf);
  const values = Object.fromEntries(LISTS.map((name) => [name, rows.map((row) => row[name])]));
  return [{ statement: INSERTION, values }];
};
