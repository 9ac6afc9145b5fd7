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
import { openDocuments, type Opened, type Plan } from "../plan/plan.ts";
import { UniqueValues } from "../plan/uniqueness.ts";
import { isPublishing } from "../plan/version.ts";
import { planWrites, type ReadWrite, readWrite, standsAlone } from "../plan/write.ts";
import { BulkErrors, labelAt, labelIn, oneByOne } from "./bulk-errors.ts";
import type { OperationContext } from "./context.ts";
import { findIds } from "./find.ts";
import { follow, hooksOf } from "./hooks.ts";
import { checkParameters, matchOf } from "./parameters.ts";
import { store, transact } from "./transaction.ts";
import { create, tasksAfter, update, type Wanted, commonOf } from "./write.ts";

/** What all documents of one call have in common. */
type Common = ReturnType<typeof commonOf>;

/**
 * Maximum number of documents planned and stored together. More would not be faster, and would block other requests in
 * this process.
 */
const AT_ONCE = 500;

/** A batch that was written together. */
interface Written {
  readonly documentIds: string[];
  /** The plans, if anything follows the writes. */
  readonly plans: Plan[];
}

interface Batches<Item> {
  readonly items: readonly Item[];
  readonly labelOf: ConstructorParameters<typeof BulkErrors>[0];
  /** Parses the write of an item. */
  read(item: Item): ReadWrite;
  /** The documents that are already locked and loaded. */
  readonly opened?: ReadonlyMap<string, Opened> | undefined;
  readonly keepsPlans: boolean;
}

/** Plans and stores writes together. After a fault it only plans them, since nothing will be committed. */
const writeTogether = async (
  context: OperationContext,
  session: Session,
  reads: readonly ReadWrite[],
  values: UniqueValues,
  { errors, opened }: { readonly errors: BulkErrors } & Pick<Batches<unknown>, "opened">,
): Promise<readonly Plan[]> => {
  const plans = await planWrites(session, reads, { opened, onFault: (index, error) => errors.note(index, error) });
  if (errors.areAny) return [];
  for (const [index, { version }] of plans.entries()) {
    const repeated = values.add(version);
    if (repeated.length > 0) errors.note(index, validationError(repeated));
  }
  if (!errors.areAny) await store(context, session, plans, errors);
  return plans;
};

/**
 * Writes documents of one type, {@link AT_ONCE} at a time.
 *
 * @throws ValidationError listing the faults of all documents
 */
const writeAll = async <Item>(
  context: OperationContext,
  session: Session,
  type: ContentType,
  { items, labelOf, read, opened, keepsPlans }: Batches<Item>,
): Promise<Written> => {
  const errors = new BulkErrors(labelOf, context.services.config.limits.bodyErrors);
  const values = new UniqueValues(type);
  const written: Written = { documentIds: [], plans: [] };
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const batch = errors.from(start);
    const reads = items
      .slice(start, start + AT_ONCE)
      .flatMap((item, index) => batch.attempt(index, () => read(item)) ?? []);
    if (errors.areAny) continue;
    const groups = reads.every(standsAlone) ? [reads] : reads.map((each) => [each]);
    for (const [index, group] of groups.entries()) {
      const plans = await writeTogether(context, session, group, values, { errors: batch.from(index), opened });
      written.documentIds.push(...plans.map(({ version }) => version.documentId));
      if (keepsPlans) written.plans.push(...plans);
    }
  }
  errors.demandNone();
  return written;
};

/** Runs the follow-ups of the writes, once they are committed. */
const finish = (
  context: OperationContext,
  { type }: Common,
  { plans }: Written,
  wantedOf: (plan: Plan, index: number) => Wanted,
): Promise<void> =>
  follow(context, type, (outside) => {
    const hooks = hooksOf(context.services, type);
    return plans.flatMap((plan, index) =>
      tasksAfter(outside, hooks, wantedOf(plan, index), { documentId: plan.version.documentId, plan, shown: null }),
    );
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

/** Creates documents one after the other, since their hooks may read what earlier writes have stored. */
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
 * Creates documents in one transaction, in order.
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
  if (hooks.inTransaction || hooks.beforeCreate || (isPublishing(common) && hooks.beforePublish)) {
    return createEach(context, type, bodies, query);
  }
  const isFollowed = hooks.afterCreate !== undefined || hooks.afterPublish !== undefined;
  const read = (data: Data): ReadWrite => {
    checkKeys({ ...context, caller: system }, type, data);
    return readWrite(services, { ...common, documentId: undefined, data });
  };
  const batches = { items: bodies, labelOf: labelAt, read, keepsPlans: isFollowed };
  const created = await transact(services, [], (session) => writeAll(context, session, type, batches));
  await finish(context, common, created, (_plan, index) => ({
    ...common,
    documentId: undefined,
    data: bodies[index] ?? {},
  }));
  return created.documentIds;
};

/** Locks and loads the documents that the query finds, except those that no longer match once they are locked. */
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

/** Changes documents one after the other, since their hooks may read what earlier writes have stored. */
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
 * Changes the documents that a query finds, in one transaction. The query finds versions as `find` does, and these
 * versions are changed.
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
  checkKeys({ ...context, caller: system }, type, data);
  const hooks = hooksOf(services, type);
  const isHooked =
    hooks.inTransaction ?? hooks.beforeUpdate ?? (isPublishing(common) ? hooks.beforePublish : undefined);
  if (isHooked || services.followUps[type.uid]?.updated) return updateEach(context, type, { match, data, query });
  const read = readWrite(services, { ...common, documentId: "", data });
  // Rules of an extension see whole documents.
  if (!services.registry.isExtended(type.uid)) demandValid(read.source, read.body);
  const readOf = (documentId: string): ReadWrite => ({
    ...read,
    documentId,
    request: { ...read.request, documentId },
  });
  const isFollowed = hooks.afterUpdate !== undefined || hooks.afterPublish !== undefined;
  if (!standsAlone(read)) return updateEach(context, type, { match, data, query });
  const updated = await transact(services, [], async (session) => {
    const opened = await openFound(context, session, type, match);
    const items = [...opened.keys()];
    const batches = { items, labelOf: labelIn(items), read: readOf, opened, keepsPlans: isFollowed };
    return writeAll(context, session, type, batches);
  });
  await finish(context, common, updated, ({ version: { documentId } }) => ({ ...common, data, documentId }));
  return updated.documentIds;
};
