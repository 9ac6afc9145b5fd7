/** Feeds a search engine outside of the database: with each change of a document, and at first with all documents. */
import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { indexName, type EngineDocument, type SearchEngine } from "./engine.ts";
import type { MembersOf } from "./text-paths.ts";
import type { Searching } from "./vector.ts";
import { isShared, type SearchedVersion, sharedTexts } from "./words.ts";

/** A content type whose documents are searched. */
export interface FedType {
  readonly uid: string;
  readonly type: {
    readonly search?: Searching | undefined;
    readonly table: PgTable & {
      readonly id: AnyPgColumn;
      readonly documentId: AnyPgColumn;
      readonly publishedAt: AnyPgColumn;
      readonly locale?: AnyPgColumn;
    };
  };
  readonly members: ReadonlyMap<string, SearchedVersion["members"] extends Iterable<infer Member> ? Member : never>;
}

/** The types of a project. */
interface FedSchema {
  readonly types: readonly FedType[];
  component(uid: `${string}.${string}`): { readonly members: FedType["members"] };
}

interface Rows {
  rows(text: string, parameters?: readonly (string | number)[]): Promise<readonly (readonly unknown[])[]>;
}

/** Where to read documents, and where to log failures. */
interface Source {
  readonly config: { readonly locales: { readonly codes: readonly string[] } };
  readonly database: Rows & {
    readonly kind: "postgres" | "pglite";
    exclusively<Result>(work: (session: Rows) => Promise<Result>): Promise<Result>;
  };
  readonly log: { warn(facts: object, message: string): void };
}

/** Documents read and sent at a time at first. */
const BATCH = 500;

/** Milliseconds between attempts to fill an index. */
const [SHORTEST, LONGEST] = [1000, 60_000];
/** Milliseconds between attempts to fill indexes that another process fills. */
const TURN = 2000;
/** The advisory lock of the process that fills. */
const LOCK = 5_824_770_133;
/** Milliseconds that a stopping server waits for what is under way. */
const GRACE = 5000;

const WEIGHTS = "ABCD";

/** The attributes that are searched, those first that count most. */
const attributesOf = ({ weights }: Searching): readonly string[] =>
  Object.entries(weights)
    .toSorted(([, one], [, other]) => WEIGHTS.indexOf(one) - WEIGHTS.indexOf(other))
    .map(([name]) => name);

const dialect = new PgDialect();

const idOf = (documentId: string, locale: string | null): string =>
  locale === null ? documentId : `${documentId}-${locale}`;

/** A type with the others. */
interface Fed {
  readonly schema: FedSchema;
  readonly fed: FedType;
  readonly searching: Searching;
}

/** Reads and sends the documents of one type. */
class TypeFeed {
  readonly #engine: SearchEngine;
  readonly #source: Source;
  readonly #fed: FedType;
  readonly #attributes: readonly string[];
  readonly #texts: readonly SQL[];
  readonly #index: string;

  constructor(engine: SearchEngine, source: Source, { schema, fed, searching }: Fed) {
    this.#engine = engine;
    this.#source = source;
    this.#fed = fed;
    const membersOf: MembersOf = (uid) => schema.component(uid).members.values();
    this.#attributes = attributesOf(searching).filter((name) => {
      const member = fed.members.get(name);
      return member !== undefined && isShared(member);
    });
    this.#texts = sharedTexts(this.#attributes, fed.members, membersOf);
    this.#index = indexName(fed.uid);
  }

  #read(query: SQL): Promise<readonly (readonly unknown[])[]> {
    const { sql: text, params } = dialect.sqlToQuery(query);
    return this.#source.database.rows(text, params as (string | number)[]);
  }

  /** The published versions of some documents. */
  async #documents(documentIds: readonly string[]): Promise<readonly EngineDocument[]> {
    const { table } = this.#fed.type;
    const columns = sql.join([table.documentId, table.locale ?? sql`null`, ...this.#texts], sql`, `);
    const ids = sql`array[${sql.join(
      documentIds.map((id) => sql`${id}`),
      sql`, `,
    )}]::text[]`;
    const rows = await this.#read(
      sql`select ${columns} from ${table} where ${table.documentId} = any(${ids}) and ${table.publishedAt} is not null order by ${table.id}`,
    );
    return rows.map(([documentId, code, ...values]) => {
      const locale = code === null ? null : String(code);
      const text = Object.fromEntries(this.#attributes.map((name, index) => [name, String(values[index] ?? "")]));
      return { id: idOf(String(documentId), locale), documentId: String(documentId), locale, text };
    });
  }

  /**
   * Sends documents as they are now, and looks again afterwards: somebody else may have sent a newer state before an
   * older one that was read here. So whoever is last leaves the engine right.
   */
  async send(documentIds: readonly string[]): Promise<void> {
    for (let sent = ""; ;) {
      const documents = await this.#documents(documentIds);
      const read = JSON.stringify(documents);
      if (read === sent) return;
      sent = read;
      const present = new Set(documents.map(({ id }) => id));
      const possible = this.#fed.type.table.locale ? this.#source.config.locales.codes : [null];
      const ids = documentIds.flatMap((documentId) => possible.map((locale) => idOf(documentId, locale)));
      const gone = ids.filter((id) => !present.has(id));
      if (documents.length > 0) await this.#engine.put(this.#index, documents);
      if (gone.length > 0) await this.#engine.remove(this.#index, gone);
    }
  }

  /**
   * What an index is prepared for: the attributes, and a name that changes with the texts that are read of them, such as
   * when one in a component becomes private.
   */
  get #prepared(): readonly string[] {
    const texts = sql.join([...this.#texts], sql`, `);
    return [...this.#attributes, `texts-${hash("sha256", dialect.sqlToQuery(texts).sql).slice(0, 12)}`];
  }

  /** Sends all documents, if the engine does not have them. */
  async fill(signal: AbortSignal): Promise<void> {
    if (!(await this.#engine.prepare(this.#index, this.#prepared))) return;
    const { table } = this.#fed.type;
    for (let after = ""; !signal.aborted;) {
      const rows = await this.#read(
        sql`select distinct ${table.documentId} from ${table} where ${table.documentId} > ${after} and ${table.publishedAt} is not null order by 1 limit ${BATCH}`,
      );
      const documentIds = rows.map(([documentId]) => String(documentId));
      if (documentIds.length > 0) await this.send(documentIds);
      if (documentIds.length < BATCH) return this.#end();
      after = documentIds.at(-1) ?? after;
    }
  }

  async #end(): Promise<void> {
    await this.#engine.filled(this.#index, this.#prepared);
    // Stored responses hold for as long as nothing is committed, and those from before found too little.
    await this.#read(sql`select pg_current_xact_id()`);
  }
}

/** The events after which a published version may differ. */
const EVENTS = ["entry.create", "entry.update", "entry.delete", "entry.publish", "entry.unpublish"] as const;

interface Changed {
  readonly uid: string | null;
  readonly documentId: string;
}

type Handler = (event: Changed) => Promise<void>;

type Handlers<Handle> = Readonly<Partial<Record<string, Handle | Readonly<Record<string, Handle>>>>>;

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal, ref: false }).catch(() => {});

/** Fills an index, and tries again until it is filled, or the server stops. */
const filled = async (feed: TypeFeed, signal: AbortSignal, log: Source["log"]): Promise<void> => {
  for (let pause = SHORTEST; !signal.aborted; pause = Math.min(LONGEST, 2 * pause)) {
    try {
      return await feed.fill(signal);
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, "the search engine could not be filled and will be asked again");
    }
    await pauseFor(pause, signal);
  }
};

/** Does the work if no other process does it; returns whether it was done. */
const ifFree = (database: Source["database"], work: () => Promise<unknown>): Promise<boolean> =>
  database.exclusively(async (session) => {
    const [row] = await session.rows(`select pg_try_advisory_lock(${LOCK})`);
    if (row?.[0] !== true) return false;
    try {
      await work();
    } finally {
      // The lock ends with the connection at the latest.
      await session.rows(`select pg_advisory_unlock(${LOCK})`).catch(() => {});
    }
    return true;
  });

/**
 * Fills indexes in one process at a time: whoever comes later finds them filled, or goes on if that process has died. An
 * embedded database has one process only.
 */
const fillInTurn = async (work: () => Promise<unknown>, { database, log }: Source, signal: AbortSignal) => {
  if (database.kind === "pglite") return void (await work());
  while (!signal.aborted) {
    const isDone = await ifFree(database, work).catch((err: unknown) => {
      log.warn({ err }, "the search engine could not be filled and will be asked again");
      return false;
    });
    if (isDone) return;
    await pauseFor(TURN, signal);
  }
};

/** Feeds an engine with the documents of all types that are searched. */
export const createFeed = (engine: SearchEngine, schema: FedSchema, source: Source) => {
  const feeds = new Map(
    schema.types.flatMap((fed) => {
      const searching = fed.type.search;
      return searching ? [[fed.uid, new TypeFeed(engine, source, { schema, fed, searching })] as const] : [];
    }),
  );
  const handler: Handler = async ({ uid, documentId }) => feeds.get(uid ?? "")?.send([documentId]);
  return {
    /** The handlers of events beside those of the project. */
    beside: <Handle>(own: Handlers<Handle | Handler> = {}) => ({
      ...own,
      ...Object.fromEntries(
        EVENTS.map((event) => {
          const handled = own[event];
          return [
            event,
            { ...(typeof handled === "object" ? handled : handled && { [event]: handled }), "search engine": handler },
          ];
        }),
      ),
    }),
    feature: {
      tables: [],
      /** Sends the documents that the engine does not have yet. */
      async start(): Promise<() => Promise<void>> {
        const abort = new AbortController();
        const { signal } = abort;
        const fillAll = () => Promise.all([...feeds.values()].map((feed) => filled(feed, signal, source.log)));
        const filling = fillInTurn(fillAll, source, signal);
        return async () => {
          abort.abort();
          await Promise.race([filling, wait(GRACE, undefined, { ref: false })]);
        };
      },
    },
  };
};
