/** Builds what application code needs: the document service, which runs its calls as operations, and transactions. */
import { system } from "../access/caller.ts";
import { ValidationError } from "../base/errors.ts";
import { isRecord } from "../base/is-record.ts";
import type { Transaction } from "../database/database.ts";
import { createDb, type Db } from "../database/drizzle.ts";
import { createPart } from "../database/part.ts";
import {
  countMany,
  type DocumentObject,
  objectOf,
  objectsOf,
  type RawQuery,
  readMany,
  readOne,
  readSingle,
  type RowSet,
} from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Uid as AnyUid } from "../schema/document.ts";
import type { Data } from "../schema/validation/check.ts";
import type { TransactionTools } from "./hooks.ts";
import type { OperationServices, Task } from "./operations/context.ts";
import { runTasks } from "./operations/hooks.ts";
import * as operations from "./operations/index.ts";
import { untilDone } from "./operations/transaction.ts";
import type { Documents } from "./service.ts";

const FIRST = { start: 0, limit: 1, withCount: false };

const rawOf = (query: object = {}): RawQuery => ({ ...query });

const found = (document: RowSet | null): DocumentObject | null => (document === null ? null : objectOf(document));

/** The parameters of a write, and its data. */
export interface AnyWrite<Written = Data> extends Readonly<
  Partial<Record<"fields" | "filters" | "locale" | "populate" | "status", unknown>>
> {
  readonly data: Written;
  /** The locale whose values a new locale takes. */
  readonly copyFrom?: unknown;
}

const requestOf = ({ data, copyFrom, ...query }: AnyWrite): operations.OperationRequest => ({
  data,
  copyFrom,
  query: rawOf(query),
});

const shown = (done: operations.Done | null): DocumentObject | null => found(done?.shown ?? null);

/**
 * Checks the documentId at run time too: without it, an update or deletion would apply to the wrong document or create
 * one.
 */
const named = ({ uid }: ContentType, documentId: unknown): string => {
  if (typeof documentId === "string") return documentId;
  throw new ValidationError(`A document of ${uid} is named by its documentId, a text`);
};

/** The operation refuses anything but a number. */
const negated = (amounts: object): object =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]: [string, unknown]) => [
      name,
      typeof amount === "number" ? 0 - amount : amount,
    ]),
  );

/** Maximum number of documents read at once. The configuration may allow fewer. */
const AT_ONCE = 100;

/** Reads the matching documents, page by page. */
async function* each(
  context: operations.OperationContext,
  type: ContentType,
  { pagination: size, ...query }: RawQuery,
): AsyncGenerator<DocumentObject, void, undefined> {
  let after: string | null | undefined = "";
  while (typeof after === "string") {
    const page = { pageSize: AT_ONCE, ...(isRecord(size) ? size : {}), after };
    const { documents, pagination } = await readMany(context, type, { ...query, pagination: page });
    yield* objectsOf(documents);
    ({ after } = pagination);
  }
}

const readsOf = (context: operations.OperationContext, type: ContentType) => ({
  find: async (query?: object) => objectsOf((await readMany(context, type, rawOf(query))).documents),
  async findPage(query?: object) {
    const { documents, pagination } = await readMany(context, type, rawOf(query));
    return { data: objectsOf(documents), meta: { pagination } };
  },
  all: (query?: object) => each(context, type, rawOf(query)),
  async findFirst(query?: object) {
    const { documents } = await readMany(context, type, { ...rawOf(query), pagination: FIRST });
    return documents.rows.length === 0 ? null : objectOf(documents);
  },
  count: (query?: object) => countMany(context, type, rawOf(query)),
  async exists(query?: object) {
    const raw = { ...rawOf(query), fields: ["documentId"], pagination: FIRST };
    return (await readMany(context, type, raw)).documents.rows.length > 0;
  },
  async findOne(documentId?: string, query?: object) {
    const raw = rawOf(query);
    const single = documentId === undefined && type.kind === "singleType";
    return found(
      await (single ? readSingle(context, type, raw) : readOne(context, type, named(type, documentId), raw)),
    );
  },
});

const inLocales = (documentId: string, done: readonly operations.Done[]) => ({
  documentId,
  entries: done.flatMap(({ shown: version }) => (version ? [objectOf(version)] : [])),
});

const publicationOf =
  (context: operations.OperationContext, type: ContentType, action: operations.PublicationAction) =>
  async (documentId: string, query?: object) => {
    const [id, raw] = [named(type, documentId), rawOf(query)];
    if (raw["locale"] !== "*") return shown(await action(context, type, id, raw));
    const done = await operations.inEveryLocale(context, type, id, raw, action);
    return done && inLocales(id, done);
  };

const versionsOf = (context: operations.OperationContext, type: ContentType) => {
  const kept = () => operations.versionsOf(context.services, type);
  const wanted = (documentId: string, version: number) => ({ documentId: named(type, documentId), version });
  return {
    async findVersions(documentId: string, query?: object) {
      const { versions, pagination } = await kept().list(context, type, named(type, documentId), rawOf(query));
      return { data: versions, meta: { pagination } };
    },
    async findDeleted(query?: object) {
      const { versions, pagination } = await kept().deleted(context, type, rawOf(query));
      return { data: versions, meta: { pagination } };
    },
    async findVersion(documentId: string, version: number, query?: object) {
      const one = await kept().find(context, type, wanted(documentId, version), rawOf(query));
      return one ? { document: objectOf(one.document), version: one.info, gone: one.gone } : null;
    },
    compareVersions: async (documentId: string, version: number, query?: object) =>
      (await kept().compare(context, type, wanted(documentId, version), rawOf(query))) ?? null,
    async restoreVersion(documentId: string, version: number, { data = {}, ...query }: Partial<AnyWrite> = {}) {
      const request = { data, query: rawOf(query) };
      return shown((await kept().restore(context, type, wanted(documentId, version), request))?.done ?? null);
    },
  };
};

const serviceOf = (context: operations.OperationContext, type: ContentType) => ({
  ...readsOf(context, type),
  async create(query: AnyWrite) {
    const created = await operations.create(context, type, requestOf(query));
    if (!created?.shown) throw new Error(`The new document of ${type.uid} cannot be read`);
    return objectOf(created.shown);
  },
  async clone(documentId: string, { data = {}, ...query }: Partial<AnyWrite> = {}) {
    const done = await operations.clone(context, type, named(type, documentId), { data, query });
    const [first] = done;
    return first ? inLocales(first.documentId, done) : null;
  },
  createMany: ({ data, ...query }: AnyWrite<readonly Data[]>) =>
    operations.createMany(context, type, data, rawOf(query)),
  updateMany: ({ data, ...query }: AnyWrite) => operations.updateMany(context, type, data, rawOf(query)),
  deleteMany: (query: object) => operations.removeMany(context, type, rawOf(query)),
  update: async (documentId: string, query: AnyWrite) =>
    shown(await operations.update(context, type, named(type, documentId), requestOf(query))),
  increment: async (documentId: string, amounts: object, query?: object) =>
    operations.increment(context, type, named(type, documentId), amounts, rawOf(query)),
  decrement: async (documentId: string, amounts: object, query?: object) =>
    operations.increment(context, type, named(type, documentId), negated(amounts), rawOf(query)),
  delete: async (documentId: string, query?: object) =>
    operations.remove(context, type, named(type, documentId), rawOf(query)),
  schedule: (documentId: string, { locale, ...data }: { readonly locale?: unknown }) =>
    operations.schedule(context, type, named(type, documentId), { data, query: { locale } }),
  ...versionsOf(context, type),
  publish: publicationOf(context, type, operations.publish),
  unpublish: publicationOf(context, type, operations.unpublish),
  discardDraft: publicationOf(context, type, operations.discardDraft),
});

/** The document service for uids known only at run time. */
export const anyDocuments = (services: operations.OperationServices) => (uid: AnyUid) =>
  serviceOf({ services, caller: system, code: true, trusted: true }, services.registry.contentType(uid));

export type AnyDocuments = ReturnType<typeof anyDocuments>;

/**
 * The document service with the generated types. The compiler cannot verify that queries return what the types say:
 * both are generated from the same schema files, and tests compare them.
 */
export const createDocuments = (services: operations.OperationServices): Documents =>
  anyDocuments(services) as Documents;

/** The services before the document service is added. */
export type Foundation = Omit<OperationServices, "db" | "documents" | "transaction" | "inUnit">;

/** Tasks that follow from the writes of one transaction and wait for its commit. */
interface Later {
  add(tasks: readonly Task[]): void;
  /** Releases the waiting tasks. Tasks that are added later, by writes that the code has not awaited, run at once. */
  passOn<Done>(take: (tasks: readonly Task[]) => Done): Done;
}

const createLater = (): Later => {
  const waiting: Task[] = [];
  let passed: ((tasks: readonly Task[]) => unknown) | undefined;
  return {
    add: (tasks) => void (passed ? passed(tasks) : waiting.push(...tasks)),
    passOn(take) {
      passed = take;
      return take(waiting);
    },
  };
};

/** Runs `work` once, in a transaction that has already begun. */
const runUnit = <Result>(
  services: OperationServices,
  session: Transaction,
  work: (services: OperationServices) => Promise<Result>,
  later: Later,
): Promise<Result> => {
  const part = createPart(services.database.kind, session, { isOver: false });
  const inside = withDocuments({
    ...services,
    database: part.database,
    unit: { outside: services.unit?.outside ?? services, afterwards: later.add },
  });
  return part.run(() => work(inside));
};

const inUnitOf =
  (services: OperationServices): OperationServices["inUnit"] =>
  async (work) => {
    let later = createLater();
    const result = await untilDone(services, (session) => runUnit(services, session, work, (later = createLater())));
    if (services.unit) later.passOn(services.unit.afterwards);
    else await later.passOn((tasks) => runTasks(services, tasks));
    return result;
  };

const toolsOf = (services: OperationServices): TransactionTools => ({
  documents: services.documents,
  db: services.db,
  services,
});

/** The services together with the document service and transactions. */
export const withDocuments = <Given extends Foundation>(given: Given): Given & OperationServices => {
  let db: Db | undefined;
  const services: Given & OperationServices = {
    ...given,
    get db() {
      return (db ??= createDb(given.database));
    },
    documents: (uid) => createDocuments(services)(uid),
    inUnit: (work) => inUnitOf(services)(work),
    transaction: (work) => services.inUnit(async (inside) => work(toolsOf(inside))),
  };
  return services;
};
