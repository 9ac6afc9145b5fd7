/**
 * Creates and changes many documents in one transaction. Unless hooks or relations require one write after the
 * other, the number of statements does not grow with the number of documents.
 */
import { system } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Session } from "../../database/database.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { type Data, validationError } from "../../schema/validation/check.ts";
import { demandValid } from "../body/check.ts";
import { checkKeys } from "../body/keys.ts";
import { countEntries } from "../plan/entries.ts";
import { countInherited } from "../plan/locales.ts";
import { openDocuments, type Opened } from "../plan/open.ts";
import type { Plan } from "../plan/plan.ts";
import { UniqueValues } from "../plan/unique-columns.ts";
import { planWrites, type ReadWrite, readWrite, standsAlone } from "../plan/write.ts";
import { takingAhead } from "../sql/component-ids.ts";
import { afterwards } from "./after.ts";
import { BulkErrors, labelAt, labelIn, oneByOne } from "./bulk-errors.ts";
import { hooksOf, type OperationContext } from "./context.ts";
import { checkParameters, findIds, matchOf } from "./found.ts";
import { writtenLocale } from "./locale.ts";
import { store } from "./store.ts";
import { transact } from "./transaction.ts";
import { follow, statusOf, type Wanted } from "./wanted.ts";
import { create, update } from "./write.ts";

/** What all documents of one call have in common. */
type Common = Omit<Wanted, "data" | "known">;

const commonOf = ({ services }: OperationContext, type: ContentType, query: RawQuery): Common => {
  const status = statusOf(type, query);
  const publishes = type.draftAndPublish && status === "published";
  const locale = writtenLocale(services.config, type, query["locale"]);
  return { type, query, locale, status, publishes, unpublishes: false };
};

/** Code may refer to drafts. */
const seesDrafts = (): boolean => true;

/**
 * Most documents that are planned and stored together. More would not be faster, and would block other requests in this
 * process.
 */
const AT_ONCE = 500;

/** Writes documents of one type, {@link AT_ONCE} at a time. */
class BulkWrite {
  readonly #session: Session;
  readonly #errors: BulkErrors;
  readonly #values: UniqueValues;
  #at = 0;

  constructor(session: Session, { type }: Common, errors: BulkErrors) {
    this.#session = session;
    this.#errors = errors;
    this.#values = new UniqueValues(type);
  }

  /** Plans and stores the next documents; after a fault they are only planned, since nothing will be committed. */
  async write(reads: readonly ReadWrite[], opened?: ReadonlyMap<string, Opened>): Promise<readonly Plan[]> {
    const groups = reads.every(standsAlone) ? [reads] : reads.map((read) => [read]);
    const plans: Plan[] = [];
    for (const group of groups) {
      const start = this.#at;
      this.#at += group.length;
      plans.push(...(await this.#writeGroup(group, start, opened)));
    }
    return plans;
  }

  async #writeGroup(
    reads: readonly ReadWrite[],
    start: number,
    opened: ReadonlyMap<string, Opened> | undefined,
  ): Promise<readonly Plan[]> {
    const errors = this.#errors.from(start);
    const onFault = (index: number, error: unknown): void => errors.note(index, error);
    const plans = await planWrites(this.#session, reads, { opened, onFault });
    if (errors.areAny) return [];
    for (const [index, { version }] of plans.entries()) {
      const repeated = this.#values.add(version);
      if (repeated.length > 0) errors.note(index, validationError(repeated));
    }
    if (!errors.areAny) await store(this.#session, plans, errors);
    return plans;
  }
}

/** Runs what follows the writes, once they are committed. */
const finish = (
  context: OperationContext,
  { type }: Common,
  plans: readonly Plan[],
  wantedOf: (plan: Plan, index: number) => Wanted,
): Promise<void> =>
  afterwards(context, (outside) => {
    const { services } = context;
    const hooks = hooksOf(services, type);
    return [
      () => services.followUps[type.uid]?.committed(outside.services.database),
      ...plans.flatMap((plan, index) => {
        const done = { documentId: plan.documentId, plan, shown: null };
        return follow(outside, hooks, wantedOf(plan, index), done);
      }),
    ];
  });

/**
 * @throws ValidationError for a single type, and if `data` is not a list of objects, since calls are not always
 *   type-checked
 */
const bodiesOf = ({ kind, uid }: ContentType, data: unknown): readonly Data[] => {
  if (kind === "singleType") throw new ValidationError(`${uid} is a single type: it has one document`);
  if (!Array.isArray(data)) throw new ValidationError("data must be a list");
  return data.map((each: unknown, index) => {
    if (!isRecord(each)) throw new ValidationError(`data[${index}] must be an object`);
    return each;
  });
};

/** Parses bodies of new documents, and notes their faults. */
const readBodies = (
  context: OperationContext,
  { type, locale, status, publishes }: Common,
  bodies: readonly Data[],
  errors: BulkErrors,
): readonly ReadWrite[] => {
  let entries = 0;
  const componentIds = takingAhead(context.services.componentIds, () => entries);
  const services = { ...context.services, componentIds };
  const reads: ReadWrite[] = [];
  for (const [index, data] of bodies.entries()) {
    try {
      checkKeys({ ...context, caller: system }, type, data);
      const read = readWrite(services, { type, documentId: undefined, data, locale, status, seesDrafts });
      for (const items of read.body.item.components.values()) entries += countEntries(items) * (publishes ? 2 : 1);
      reads.push(read);
    } catch (error) {
      errors.note(index, error);
    }
  }
  return reads;
};

/** Creates documents one after the other, since their hooks may read what the writes before have stored. */
const createEach = (
  context: OperationContext,
  type: ContentType,
  bodies: readonly Data[],
  query: RawQuery,
): Promise<readonly string[]> =>
  context.services.inUnit((services) =>
    oneByOne(bodies, labelAt, async (data) => {
      const request = { data, query: { ...query, fields: ["documentId"] } };
      return (await create({ ...context, services }, type, request)).documentId;
    }),
  );

/**
 * Creates documents in one transaction, in their order.
 *
 * @returns the documentIds
 * @throws ValidationError whose faults name the document that each belongs to
 */
export const createMany = async (
  context: OperationContext,
  type: ContentType,
  given: unknown,
  query: RawQuery,
): Promise<readonly string[]> => {
  const { services } = context;
  checkParameters(query, ["status", "locale"]);
  const bodies = bodiesOf(type, given);
  const common = commonOf(context, type, query);
  const hooks = hooksOf(services, type);
  if (hooks.inTransaction || hooks.beforeCreate || (common.publishes && hooks.beforePublish)) {
    return createEach(context, type, bodies, query);
  }
  const isFollowed = hooks.afterCreate !== undefined || hooks.afterPublish !== undefined;
  const created = await transact(services, [], async (session) => {
    const errors = new BulkErrors(labelAt, services.config.limits.bodyErrors);
    const bulk = new BulkWrite(session, common, errors);
    const documentIds: string[] = [];
    const followed: Plan[] = [];
    for (let start = 0; start < bodies.length; start += AT_ONCE) {
      const reads = readBodies(context, common, bodies.slice(start, start + AT_ONCE), errors.from(start));
      if (errors.areAny) continue;
      const plans = await bulk.write(reads);
      documentIds.push(...plans.map(({ documentId }) => documentId));
      if (isFollowed) followed.push(...plans);
    }
    errors.demandNone();
    return { documentIds, followed };
  });
  const wantedOf = (_plan: Plan, index: number): Wanted => ({ ...common, known: undefined, data: bodies[index] ?? {} });
  await finish(context, common, created.followed, wantedOf);
  return created.documentIds;
};

/** Locks and loads the documents that the query finds, without those that it no longer finds once they are locked. */
const openFound = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  match: RawQuery,
): Promise<ReadonlyMap<string, Opened>> => {
  const before = await findIds(context, session, type, match);
  if (before.size === 0) return new Map();
  const opened = await openDocuments(session, type, [...before]);
  const after = await findIds(context, session, type, match);
  return new Map(
    [...before].flatMap((documentId) => {
      const each = opened.get(documentId);
      return each && after.has(documentId) ? [[documentId, each] as const] : [];
    }),
  );
};

/** At most how many component ids the writes need: for the entries of the body, and for those that are copied. */
const countIds = ({ type, publishes }: Common, { body }: ReadWrite, opened: Iterable<Opened>): number => {
  const own = countEntries([...body.item.components.values()].flat()) * 2;
  let count = 0;
  for (const { versions } of opened) {
    count += own;
    if (publishes) count += versions.reduce((sum, version) => sum + countInherited(type, version), 0);
  }
  return count;
};

/** Changes documents one after the other, since their hooks may read what the writes before have stored. */
const updateEach = (
  context: OperationContext,
  type: ContentType,
  { match, data, query }: { readonly match: RawQuery; readonly data: Data; readonly query: RawQuery },
): Promise<readonly string[]> =>
  context.services.inUnit(async (services) => {
    const inside = { ...context, services };
    const found = [...(await openFound(inside, services.database, type, match)).keys()];
    const request = { data, query: { ...query, fields: ["documentId"] } };
    await oneByOne(found, labelIn(found), (documentId) => update(inside, type, documentId, request));
    return found;
  });

/**
 * Changes the documents that a query finds, in one transaction. The query finds versions as `find` does, and the
 * versions that it finds are changed.
 *
 * @returns the documentIds
 * @throws ValidationError whose faults name the document that each belongs to
 */
export const updateMany = async (
  context: OperationContext,
  type: ContentType,
  data: unknown,
  given: RawQuery,
): Promise<readonly string[]> => {
  const { services } = context;
  const match = matchOf(given);
  if (!isRecord(data)) throw new ValidationError("data must be an object");
  const { filters: _filters, ...query } = given;
  const common = commonOf(context, type, query);
  const { locale, status, publishes } = common;
  checkKeys({ ...context, caller: system }, type, data);
  const hooks = hooksOf(services, type);
  const isHooked = hooks.inTransaction ?? hooks.beforeUpdate ?? (publishes ? hooks.beforePublish : undefined);
  if (isHooked || services.followUps[type.uid]?.updated) return updateEach(context, type, { match, data, query });
  let ids = 0;
  const ahead = { ...services, componentIds: takingAhead(services.componentIds, () => ids) };
  const read = readWrite(ahead, { type, documentId: "", data, locale, status, seesDrafts });
  demandValid(read.source, read.body);
  if (!standsAlone(read)) return updateEach(context, type, { match, data, query });
  const plans = await transact(services, [], async (session) => {
    const opened = await openFound(context, session, type, match);
    ids = countIds(common, read, opened.values());
    const documentIds = [...opened.keys()];
    const errors = new BulkErrors(labelIn(documentIds), services.config.limits.bodyErrors);
    const bulk = new BulkWrite(session, common, errors);
    const done: Plan[] = [];
    for (let start = 0; start < documentIds.length; start += AT_ONCE) {
      const part = documentIds.slice(start, start + AT_ONCE);
      const reads = part.map((documentId) => ({ ...read, documentId, request: { ...read.request, documentId } }));
      done.push(...(await bulk.write(reads, opened)));
    }
    errors.demandNone();
    return done;
  });
  await finish(context, common, plans, ({ documentId: known }) => ({ ...common, data, known }));
  return plans.map(({ documentId }) => documentId);
};
