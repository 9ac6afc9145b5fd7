/** Where content is imported from: what an export has, wherever it stands. */
import { stat } from "node:fs/promises";
import { loadFailureOf, messageOf, SetupError } from "../../runtime/base/thrown.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { isDatabaseAddress } from "./address.ts";
import { type ArchiveEntry, readEntries, startOf } from "./content/archive-entries.ts";
import { databaseEntries } from "./database/entries.ts";
import { postgresTables } from "./database/postgres.ts";
import type { ComponentFile } from "./database/source-types.ts";

/** Content of a Strapi project, entry by entry. It can be read once. */
export interface Content {
  /** Tells it from other content, and from what it was before it changed. */
  readonly name: string;
  /** The file or folder, or the server and name of a database: never a password. */
  readonly place: string;
  readonly origin: "export" | "database";
  readonly entries: AsyncIterable<ArchiveEntry>;
}

export interface ContentPlace {
  /** A file or folder, absolute, or the address of a database. */
  readonly place: string;
  /** Of an encrypted archive. */
  readonly key: string | undefined;
  /** Reads the components of the project, which databases do not describe. */
  readonly components: () => Promise<readonly ComponentFile[]>;
}

type Work<Result> = (content: Content) => Promise<Result>;

/** Some tables are read as a whole. */
const STATEMENT_SECONDS = 6 * 60 * 60;

const SQLITE = "SQLite format 3\0";

const isSqlite = async (file: string): Promise<boolean> => {
  const info = await stat(file).catch(() => undefined);
  return info?.isFile() === true && (await startOf(file)).toString("latin1").startsWith(SQLITE);
};

/** A changed file is another. */
const nameOf = async (file: string): Promise<string> => {
  const { size, mtimeMs } = await stat(file);
  return `${file} ${size} ${mtimeMs}`;
};

/** The address carries a password: only the server and the name are told. */
const addressOf = (place: string): string => {
  if (!URL.canParse(place)) {
    throw new SetupError("the address of the database is none: it looks like postgres://user:password@host:5432/name");
  }
  const { host, pathname } = new URL(place);
  return `${host}${pathname}`;
};

const fromPostgres = async <Result>({ place, components }: ContentPlace, work: Work<Result>): Promise<Result> => {
  const name = addressOf(place);
  const database = await openPostgres(place, 1, { statementSeconds: STATEMENT_SECONDS }).catch((error: unknown) => {
    const reason = messageOf(error);
    throw new SetupError(`the database ${name} cannot be read: ${reason}`, { cause: error });
  });
  try {
    return await database.exclusively(async (session) => {
      await session.script("begin transaction isolation level repeatable read, read only");
      try {
        const entries = databaseEntries(await postgresTables(session), await components());
        return await work({ name, place: name, origin: "database", entries });
      } finally {
        await session.script("rollback").catch(() => {});
      }
    });
  } finally {
    await database.close();
  }
};

const fromSqlite = async <Result>({ place, components }: ContentPlace, work: Work<Result>): Promise<Result> => {
  const { openSqlite } = await import("./database/sqlite.ts").catch((error: unknown) => {
    throw new SetupError(`the database ${place} cannot be read: ${loadFailureOf(error)}`, { cause: error });
  });
  const { tables, close } = await openSqlite(place);
  try {
    const entries = databaseEntries(tables, await components());
    return await work({ name: await nameOf(place), place, origin: "database", entries });
  } finally {
    await close();
  }
};

/**
 * Hands the content at a place to `work`: that of a database of PostgreSQL or SQLite as it is at one moment, or that of
 * what `strapi export` or `cms export` wrote.
 *
 * @throws SetupError when it cannot be read, or `key` is not its key
 */
export const withContent = async <Result>(from: ContentPlace, work: Work<Result>): Promise<Result> => {
  const { place, key } = from;
  if (isDatabaseAddress(place)) return fromPostgres(from, work);
  if (await isSqlite(place)) return fromSqlite(from, work);
  const entries = await readEntries(place, key);
  return work({ name: await nameOf(place), place, origin: "export", entries });
};
