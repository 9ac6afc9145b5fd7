/** Prints the audit log for a command. */
import { SetupError } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import type { Reader } from "../database/database.ts";
import { checked } from "../http/rest/checked.ts";
import { createRegistry, type Declarations } from "../schema/registry.ts";
import { type AuditEntry, auditQuery, listEntries } from "./list.ts";

/** Most entries that one statement reads. */
const PAGE = 100;

/** Terminals would obey control characters, and anybody may put them into a name. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, " ");

/** A line for people. */
const lineOf = ({ at, action, by, subject, address, details }: AuditEntry): string => {
  const author = [by.kind, by.name ?? by.id, by.kind === "command" ? by.id : null].filter((each) => each !== null);
  const about = subject === null ? "-" : `${subject.type} ${subject.name ?? subject.id}`;
  return [at, action, author.join(" "), about, address ?? "-", JSON.stringify(details)].map(printable).join("\t");
};

export interface PrintOptions {
  readonly action?: string;
  readonly by?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  /** One object per line. */
  readonly json?: true;
}

interface Source {
  readonly application: Declarations;
  readonly config: Pick<Config, "audit">;
  readonly database: Reader;
}

/**
 * The newest entries, as lines.
 *
 * @throws SetupError if the project has no audit log; ValidationError for invalid options
 */
export async function* auditLines(
  { application, config, database }: Source,
  { limit, json, ...filters }: PrintOptions,
): AsyncGenerator<string> {
  if (!config.audit) {
    throw new SetupError("this project has no audit log: set audit: true in cms.config.ts, then run cms generate");
  }
  const registry = createRegistry(application);
  let after: string | null = null;
  for (let left = limit; left > 0; left -= PAGE) {
    const page: string | undefined = after ?? undefined;
    const query = checked(auditQuery, { ...filters, limit: Math.min(left, PAGE), after: page });
    const { data, meta } = await listEntries(database, registry, query);
    for (const entry of data) yield json ? JSON.stringify(entry) : lineOf(entry);
    after = meta.next;
    if (after === null) return;
  }
}
