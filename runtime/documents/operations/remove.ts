/** Deleting documents. */
import { ValidationError } from "../../base/errors.ts";
import { sendAll, type Session, type Transaction } from "../../database/database.ts";
import { prepare, type RawQuery, readOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import type { DocumentEvent } from "../hooks.ts";
import { openForDeletion } from "../plan/plan.ts";
import type { VersionChange } from "../recorders.ts";
import { deleteDocuments, deleteVersions, type LoadedVersion } from "../sql/version.ts";
import { labelIn, oneByOne } from "./bulk-errors.ts";
import type { Also, OperationContext } from "./context.ts";
import { findIds, findSingleId } from "./find.ts";
import { changeWithHooks, eventOf, follow, hookedDocument, hooksOf, versionIn } from "./hooks.ts";
import { deletedLocales, isAmong, matchOf } from "./parameters.ts";
import { completed, transact } from "./transaction.ts";

interface Deletion {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  /** The locales to delete; undefined for all. */
  readonly locales: readonly string[] | undefined;
  /** Further work before the deletion, while the documents still exist and are locked. */
  readonly also?: Also | undefined;
  /** Selects which of the locked documents to delete; all by default. */
  stillThere?(): Promise<ReadonlySet<string>>;
}

/** The version that represents the deleted document in hooks and responses. */
const mainOf = (
  { config }: Pick<WriteServices, "config">,
  type: ContentType,
  gone: readonly LoadedVersion[],
): LoadedVersion | undefined => {
  const inDefault = gone.filter(({ locale }) => locale === config.locales.default);
  return versionIn(type, inDefault, "draft") ?? versionIn(type, gone, "draft") ?? gone[0];
};

/**
 * Deletes documents in the given locales, and the whole document if no other locale is left. Must be the last work of
 * the transaction.
 *
 * @returns the deleted versions by documentId
 */
const deleteAll = async (
  context: OperationContext,
  session: Transaction,
  { type, documentIds, locales, also, stillThere }: Deletion,
): Promise<ReadonlyMap<string, LoadedVersion>> => {
  if (documentIds.length === 0) return new Map();
  const { services } = context;
  const named = documentIds.filter((documentId) => !documentId.includes("\0"));
  const opened = await openForDeletion(session, services, type, named);
  const meant = await stillThere?.();
  const removed = new Map<string, LoadedVersion>();
  const changes: VersionChange[] = [];
  const whole: string[] = [];
  const partly: string[] = [];
  for (const [documentId, { versions }] of opened) {
    const gone = versions.filter((version) => isAmong(locales, version));
    const main = mainOf(services, type, gone);
    if (!main || meant?.has(documentId) === false) continue;
    removed.set(documentId, main);
    changes.push(...gone.map((version): VersionChange => ({ action: "delete", type, version })));
    (gone.length === versions.length ? whole : partly).push(documentId);
    await also?.(session, documentId);
  }
  const statements = [
    ...(whole.length > 0 ? deleteDocuments(type, whole) : []),
    ...(partly.length > 0 ? deleteVersions(type, partly, { locales }) : []),
  ];
  const changed = { type, changes, steps: statements, before: [] };
  if (statements.length > 0) await session.last(() => sendAll(session, completed(context, [changed], statements)));
  return removed;
};

/** The locale in the event: the deleted one; null for several. */
const onlyLocale = (locales: readonly string[] | undefined): string | null =>
  locales?.length === 1 ? (locales[0] ?? null) : null;

type Find = (session: Session) => Promise<string | undefined>;

/** Whether the document matches the query's filters. */
const matches = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  query: RawQuery,
): Promise<boolean> => {
  if (query["filters"] === undefined) return true;
  const read = { ...query, fields: ["documentId"], populate: undefined };
  return (await readOne({ ...context, session }, type, documentId, read)) !== null;
};

const removeFound = async (
  context: OperationContext,
  type: ContentType,
  find: Find,
  query: RawQuery,
  also?: Also,
): Promise<boolean> => {
  const { locale, status, ...rest } = query;
  prepare(context, type, rest, true);
  if (type.draftAndPublish && status !== undefined && status !== "published") {
    throw new ValidationError("A draft cannot be deleted on its own. Omit the status to delete the document");
  }
  const { services } = context;
  const locales = deletedLocales(services.config, type, locale);
  const documentId = await find(services.database);
  if (documentId === undefined) return false;
  const eventIn = (where: OperationContext): DocumentEvent => ({
    ...eventOf(where, type, onlyLocale(locales)),
    documentId,
  });
  const removed = await changeWithHooks(context, type, documentId, {
    state: undefined,
    before: async (where, hooks) => void (await hooks.beforeDelete?.(eventIn(where))),
    make: (inside) =>
      transact(inside.services, [documentId], async (session) => {
        if (!(await matches(inside, session, type, documentId, query))) return undefined;
        const gone = await deleteAll(inside, session, { type, documentIds: [documentId], locales, also });
        return gone.get(documentId);
      }),
    after: (where, { afterDelete }, _state, version) => [
      () => afterDelete?.({ ...eventIn(where), previous: hookedDocument(services, type, version) }),
    ],
  });
  return removed !== null;
};

/**
 * Deletes a document in one or more locales, after the further work in `also`. Returns false if there was nothing to
 * delete.
 */
export const remove = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  also?: Also,
): Promise<boolean> => removeFound(context, type, async () => documentId, query, also);

/** Deletes the document of a single type. */
export const removeSingle = (context: OperationContext, type: ContentType, query: RawQuery): Promise<boolean> =>
  removeFound(context, type, (session) => findSingleId(session, type), query);

/**
 * Deletes the documents that a query finds, in one transaction: in the query's locale, by default in the default
 * locale, or in all (`*`).
 *
 * @returns the documentIds
 */
export const removeMany = async (
  context: OperationContext,
  type: ContentType,
  query: RawQuery,
): Promise<readonly string[]> => {
  const { services } = context;
  const match = matchOf(query);
  const { locale } = query;
  const locales = deletedLocales(services.config, type, locale);
  const hooks = hooksOf(services, type);
  if (hooks.inTransaction || hooks.beforeDelete) {
    return services.inUnit(async (inside) => {
      const own = { ...context, services: inside };
      const before = await findIds(own, inside.database, type, match);
      await openForDeletion(inside.database, inside, type, [...before]);
      const still = await findIds(own, inside.database, type, match);
      const found = [...still].filter((documentId) => before.has(documentId));
      const where = locale === undefined ? {} : { locale };
      const gone = await oneByOne(found, labelIn(found), (documentId) => remove(own, type, documentId, where));
      return found.filter((_documentId, index) => gone[index]);
    });
  }
  const removed = await transact(services, [], async (session) => {
    const found = await findIds(context, session, type, match);
    const stillThere = () => findIds(context, session, type, match);
    return deleteAll(context, session, { type, documentIds: [...found], locales, stillThere });
  });
  const { afterDelete } = hooks;
  if (removed.size === 0) return [];
  await follow(context, type, (outside) =>
    (afterDelete ? [...removed] : []).map(([documentId, version]) => async () => {
      const previous = hookedDocument(services, type, version);
      await afterDelete?.({ ...eventOf(outside, type, onlyLocale(locales)), documentId, previous });
    }),
  );
  return [...removed.keys()];
};
