/** What somebody changed by hand is found and named, and how PostgreSQL spells things is no difference. */
import { expect, test } from "vitest";
import { emptySnapshot, type Snapshot } from "../../../generator/migrate/snapshot.ts";
import { findDrift } from "../../../generator/migrate/tables/drift.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { bothDatabases, type DatabaseKind, freshDatabase } from "../../support/database.ts";

const databases = { pglite: await freshDatabase("pglite"), postgres: await freshDatabase("postgres") };

/** Every kind of definition, in spellings that PostgreSQL does not keep. */
const snapshot: Snapshot = {
  ...emptySnapshot,
  sequences: ["numbers"],
  tables: {
    authors: {
      columns: { id: { type: "text", notNull: true } },
      primaryKey: { name: "authors_pkey", columns: ["id"] },
      uniques: {},
      indexes: {},
      foreignKeys: {},
    },
    books: {
      columns: {
        id: { type: "integer", notNull: true, identity: true },
        "Odd Name": { type: "varchar(40)", default: "'it''s'" },
        pages: { type: "bigint", default: "1 + 1" },
        price: { type: "numeric(10, 2)", default: "0" },
        data: { type: "json", default: `'{"a": 1}'` },
        number: { type: "bigint", default: "nextval('numbers')" },
        made_at: { type: "timestamp(3)", default: "now()" },
        author: { type: "text" },
      },
      primaryKey: { name: "books_pkey", columns: ["id"] },
      uniques: { books_author_key: ["author", "pages"] },
      indexes: {
        books_plain_idx: { on: ['"Odd Name"', '"pages"'] },
        books_down_idx: { on: ['"pages" desc', '"price"'] },
        books_hash_idx: { on: ['"author"'], method: "hash" },
        books_part_idx: { on: ['md5("author")'], unique: true, where: `"made_at" is not null and "Odd Name" <> ''` },
        books_in_idx: { on: ['"id"'], where: `"pages" in (1, 2) or ("price" > 3 and not "author" like 'a%')` },
      },
      foreignKeys: {
        books_author_fk: { columns: ["author"], table: "authors", references: ["id"], onDelete: "set null" },
      },
    },
  },
};

const made = async (kind: DatabaseKind) => {
  const database = databases[kind];
  await database.script("drop schema public cascade; create schema public");
  await database.script(creationSql(snapshot));
  return database;
};

test.each(bothDatabases)("nothing differs in what was just made on %s", async (kind) => {
  expect(await findDrift(await made(kind), snapshot)).toEqual([]);
});

test.each(bothDatabases)("what is added beside it is no difference on %s", async (kind) => {
  const database = await made(kind);
  await database.script(`alter table books add column mine text default 'x', add constraint positive check (pages > 0);
    create index mine_idx on books (price); create table others (id int)`);
  expect(await findDrift(database, snapshot)).toEqual([]);
});

const recreate = (index: string, definition: string): string => `drop index ${index}; create ${definition}`;
const rekey = (definition: string): string =>
  `alter table books drop constraint books_author_fk, add constraint books_author_fk foreign key (author) ${definition}`;

/** A change by hand, and how it is told. */
const changes: readonly (readonly [change: string, told: string])[] = [
  ["drop table authors cascade", "table authors is missing"],
  ["alter table books drop column price", "column books.price is missing"],
  ["alter table books alter pages type int", "column books.pages is integer and should be bigint"],
  ["alter table books alter pages set not null", "column books.pages forbids null and should not"],
  ["alter table books alter id drop identity", "column books.id numbers rows differently"],
  [
    "alter table books alter pages set default 3",
    "column books.pages has the default 3 and should have the default (1 + 1)",
  ],
  [
    "alter table books alter made_at drop default",
    "column books.made_at has no default and should have the default now()",
  ],
  [
    "alter table books alter author set default 'x'",
    "column books.author has the default 'x'::text and should have no default",
  ],
  ["drop index books_plain_idx", "index books_plain_idx of books is missing"],
  [
    recreate("books_plain_idx", 'index books_plain_idx on books (pages, "Odd Name")'),
    "index books_plain_idx of books is on (pages, Odd Name) and should be on (Odd Name, pages)",
  ],
  [
    recreate("books_plain_idx", 'unique index books_plain_idx on books ("Odd Name", pages) where pages > 1'),
    "index books_plain_idx of books is unique on (Odd Name, pages) where (pages > 1) and should be on (Odd Name, pages)",
  ],
  [
    recreate("books_plain_idx", 'index books_plain_idx on books ("Odd Name" varchar_pattern_ops, pages)'),
    'index books_plain_idx of books is on ("Odd Name" varchar_pattern_ops, pages) and should be on (Odd Name, pages)',
  ],
  [
    recreate("books_down_idx", "index books_down_idx on books (pages, price)"),
    "index books_down_idx of books is on (pages, price) and should be on (pages desc, price)",
  ],
  [
    recreate("books_hash_idx", "index books_hash_idx on books (author)"),
    "index books_hash_idx of books is on (author) and should be hash on (author)",
  ],
  [
    recreate("books_part_idx", "unique index books_part_idx on books (md5(author)) where made_at is not null"),
    "index books_part_idx of books is unique on (md5(author)) where (made_at IS NOT NULL) and should be unique on " +
      `(md5(author)) where ((made_at IS NOT NULL) AND (("Odd Name")::text <> ''::text))`,
  ],
  [
    recreate(
      "books_part_idx",
      `unique index books_part_idx on books (md5(author || 'x')) where made_at is not null and "Odd Name" <> ''`,
    ),
    "is unique on (md5((author || 'x'::text))) where",
  ],
  ["alter table books drop constraint books_author_fk", "constraint books_author_fk of books is missing"],
  [
    rekey("references authors (id) on delete cascade"),
    "constraint books_author_fk of books is foreign key (author) to authors (id) on delete cascade and should be " +
      "foreign key (author) to authors (id) on delete set null",
  ],
  [
    `create table others (id text primary key); ${rekey("references others (id) on delete set null")}`,
    "is foreign key (author) to others (id) on delete set null and should be",
  ],
  [
    rekey("references authors (id) on delete set null not valid"),
    "constraint books_author_fk of books was never checked",
  ],
  [
    "alter table books drop constraint books_author_key, add constraint books_author_key unique (author)",
    "constraint books_author_key of books is unique (author) and should be unique (author, pages)",
  ],
  [
    "alter table books drop constraint books_pkey, add constraint books_pkey unique (id)",
    "constraint books_pkey of books is unique (id) and should be primary key (id)",
  ],
  ["drop sequence numbers cascade", "sequence numbers is missing"],
];

test.each(bothDatabases)("what was changed by hand is named on %s", async (kind) => {
  const database = await made(kind);
  for (const [change, told] of changes) {
    await database.script("drop schema public cascade; create schema public");
    await database.script(creationSql(snapshot));
    await database.script(change);
    expect.soft((await findDrift(database, snapshot)).join("\n"), change).toContain(told);
  }
});
