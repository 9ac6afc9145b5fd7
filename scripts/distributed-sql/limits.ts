/**
 * SQL that PostgreSQL-compatible distributed databases document as unsupported or different, as patterns of statements.
 */

export interface Limit {
  readonly what: string;
  /** Matches a statement in lower case, without comments, with quoted texts emptied. */
  readonly matches: RegExp;
  /** `otherwise`: it runs, but not as in PostgreSQL. */
  readonly effect: "fails" | "otherwise";
  /** The page or issue that documents it. */
  readonly source: string;
}

export interface DistributedDatabase {
  readonly name: string;
  /** The scope of the limits. */
  readonly note: string;
  readonly limits: readonly Limit[];
}

const DSQL =
  "https://docs.aws.amazon.com/aurora-dsql/latest/userguide/working-with-postgresql-compatibility-unsupported-features.html";
const COCKROACH = "https://www.cockroachlabs.com/docs/v23.2/postgresql-compatibility";
const COCKROACH_LIMITS = "https://www.cockroachlabs.com/docs/v24.3/known-limitations";
const CITUS = "https://docs.citusdata.com/en/stable/develop/reference_workarounds.html";

const ADVISORY = /\bpg_(?:try_)?advisory_/;
const NOTIFICATIONS = /^(?:un)?listen\b|\bpg_notify\s*\(/;
const SEQUENCES = /\b(?:create|alter) sequence\b|\bnextval\s*\(|\bas identity\b/;
const ROW_LOCKS = /\bfor (?:no key )?(?:update|share)\b/;

/** Whether one statement changes the same table twice. */
const TWICE = /\b(?:insert into|update|delete from) ("\w+")[^]*\b(?:insert into|update|delete from) \1/;

const fails = (what: string, matches: RegExp, source: string): Limit => ({ what, matches, source, effect: "fails" });

const otherwise = (what: string, matches: RegExp, source: string): Limit => ({
  what,
  matches,
  source,
  effect: "otherwise",
});

export const DATABASES: readonly DistributedDatabase[] = [
  {
    name: "Aurora DSQL",
    note: "the whole database",
    limits: [
      fails("foreign keys", /\bforeign key\b|\breferences "/, DSQL),
      fails("sequences, and columns that are numbered by one", SEQUENCES, DSQL),
      fails("triggers", /\bcreate (?:or replace )?trigger\b/, DSQL),
      fails("functions in another language than SQL", /\blanguage plpgsql\b|^do\b/, DSQL),
      fails("indexes that are not created by create index async", /^create (?:unique )?index (?!async)/, DSQL),
      fails("savepoints", /^(?:savepoint|release savepoint|rollback to)\b/, DSQL),
      fails("truncate", /^truncate\b/, DSQL),
      fails("extensions", /^create extension\b/, DSQL),
    ],
  },
  {
    name: "CockroachDB",
    note: "the whole database",
    limits: [
      otherwise("advisory locks, which lock nothing", ADVISORY, COCKROACH),
      fails("notifications", NOTIFICATIONS, "https://github.com/cockroachdb/cockroach/issues/41522"),
      fails("statements that change a table twice", TWICE, COCKROACH_LIMITS),
    ],
  },
  {
    name: "YugabyteDB",
    note: "the whole database",
    limits: [
      fails(
        "notifications, before v2025.2.3",
        NOTIFICATIONS,
        "https://docs.yugabyte.com/stable/api/ysql/the-sql-language/statements/cmd_listen_notify/",
      ),
      fails(
        "locks of tables",
        /^lock table\b/,
        "https://docs.yugabyte.com/latest/explore/ysql-language-features/postgresql-compatibility/",
      ),
    ],
  },
  {
    name: "Citus",
    note: "tables that are distributed; those that are not run everything",
    limits: [
      fails("numbers below bigint from a sequence, on workers", /\binteger generated (?:by default|always)\b/, CITUS),
      fails("subqueries within insert", /\binsert into\b[^]*?\bselect\b/, CITUS),
      fails("row locks, across shards", ROW_LOCKS, CITUS),
      fails("volatile functions in update", /\bupdate "[^]*\b(?:nextval|random|clock_timestamp)\s*\(/, CITUS),
    ],
  },
];

/** The statements of a script, in lower case, without quoted SQL lookalikes and without parts that vary. */
export const bareStatements = (script: string): readonly string[] => {
  const text = script
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
  const statements = text.match(/(?:\$(\w*)\$[^]*?\$\1\$|[^;])+/g) ?? [];
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
};
