/** Lists the entries of the audit log. */
import { getTableName } from "drizzle-orm";
import { z } from "zod";
import { userColumns, userUid } from "../accounts/users/user-store.ts";
import { didYouMean } from "../base/did-you-mean.ts";
import type { Reader, Row } from "../database/database.ts";
import { ACTS } from "../documents/acts.ts";
import type { Registry } from "../schema/registry.ts";

const MOST = 100;

const instant = z.iso
  .datetime({ offset: true, error: "expected an instant such as 2030-01-31T00:00:00Z" })
  .or(z.iso.date())
  .transform((text) => new Date(text).toISOString());

const GROUPS = new Set(ACTS.map((action) => action.split(".", 1)[0] ?? ""));

/** The actions that a list of actions and groups names. */
const actionsIn = (text: string, context: z.RefinementCtx): readonly string[] =>
  text.split(",").flatMap((name) => {
    const found = ACTS.filter((action) => action === name || action.startsWith(`${name}.`));
    if (found.length === 0) {
      context.addIssue(`there is no action "${name}".${didYouMean(name, [...ACTS, ...GROUPS])}`);
    }
    return found;
  });

/** What may be asked for, by REST and by command. */
export const auditQuery = z.strictObject({
  /** Actions or groups of them, separated by commas. */
  action: z.string().transform(actionsIn).optional(),
  /** A kind, an id, or a name of who did it; `kind:id` for both. */
  by: z.string().min(1).optional(),
  /** The id or name of what it was done to. */
  subject: z.string().min(1).optional(),
  since: instant.optional(),
  until: instant.optional(),
  limit: z.coerce.number().int().min(1).max(MOST).default(25),
  /** The cursor of the page before. */
  after: z
    .string()
    .regex(/^\d{1,18}$/, "expected the `next` of a page")
    .optional(),
});

export type AuditQuery = z.output<typeof auditQuery>;

/** An entry as clients get it. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly subject: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly details: unknown;
}

const textOf = (value: Row[number] | undefined): string | null => (typeof value === "string" ? value : null);

const entryOf = ([id, at, action, kind, byId, byName, type, subjectId, subject, address, requestId, details]: Row) => ({
  id: String(id),
  at: String(at),
  action: String(action),
  by: { kind: String(kind), id: textOf(byId), name: textOf(byName) },
  subject: type === null ? null : { type: String(type), id: String(subjectId), name: textOf(subject) },
  address: textOf(address),
  requestId: textOf(requestId),
  details: typeof details === "string" ? (JSON.parse(details) as unknown) : null,
});

/** The columns of users that have their names; without a type of users, there are none. */
const usersIn = (registry: Registry): string => {
  if (!registry.has(userUid)) return "select null::text as id, null::text as name where false";
  const { table, documentId, username } = userColumns(registry);
  return `select "${documentId.name}" as id, "${username.name}" as name from "${getTableName(table)}"`;
};

const selection = (registry: Registry): string => `
  select entry.id, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), action, by_kind, by_id,
    coalesce(by_name, users.name, tokens.name), subject_type, subject_id, subject_name, address, request_id, details
  from audit_log as entry
    left join (${usersIn(registry)}) as users on by_kind = 'user' and users.id = by_id
    left join api_tokens as tokens on by_kind = 'token' and tokens.id::text = by_id
  where ($1::text[] is null or action = any($1))
    and ($2::text is null or by_kind = $2 or by_id = $2 or users.name = $2 or tokens.name = $2
      or by_kind || ':' || by_id = $2)
    and ($3::text is null or subject_id = $3 or subject_name = $3)
    and ($4::timestamp is null or at >= $4) and ($5::timestamp is null or at < $5)
    and ($6::bigint is null or entry.id < $6)
  order by entry.id desc limit $7::int`;

/** A page of entries, newest first, and the cursor of the next one. */
export const listEntries = async (
  database: Reader,
  registry: Registry,
  { action, by, subject, since, until, limit, after }: AuditQuery,
): Promise<{ readonly data: readonly AuditEntry[]; readonly meta: { readonly next: string | null } }> => {
  const parameters = [action ?? null, by ?? null, subject ?? null, since ?? null, until ?? null, after ?? null];
  const rows = await database.rows(selection(registry), [...parameters, limit + 1]);
  const data = rows.slice(0, limit).map(entryOf);
  return { data, meta: { next: rows.length > limit ? (data.at(-1)?.id ?? null) : null } };
};
