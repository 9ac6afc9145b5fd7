/** Creates many documents in one transaction. */
import { system } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import { faultOf } from "../../database/fault.ts";
import { send } from "../../database/statement.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Data } from "../../schema/validation/check.ts";
import { checkKeys } from "../body/keys.ts";
import { Targets } from "../body/references.ts";
import type { WriteHooks } from "../hooks.ts";
import { countEntries } from "../plan/entries.ts";
import type { Plan } from "../plan/plan.ts";
import { planRows, type RowsRequest } from "../plan/rows.ts";
import { storeAll } from "../plan/together.ts";
import { planAlone, type ReadWrite, readWrite, standsAlone } from "../plan/write.ts";
import { takingAhead } from "../sql/component-ids.ts";
import { afterwards } from "./after.ts";
import { type Done, hooksOf, type OperationContext } from "./context.ts";
import { checkParameters } from "./found.ts";
import { writtenLocale } from "./locale.ts";
import { Faults, type Place, placed, placingAt } from "./placed-faults.ts";
import { transact } from "./transaction.ts";
import { follow, statusOf, type Wanted } from "./wanted.ts";
import { create } from "./write.ts";

const placeAt = (index: number): Place => ({ label: `data[${index}]`, key: String(index) });

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

/**
 * Whether all documents can be stored together. Hooks before a write may read what the writes before it have stored;
 * with these, documents are written one by one.
 */
const goTogether = (hooks: WriteHooks & { readonly inTransaction?: WriteHooks }, publishes: boolean): boolean =>
  !hooks.inTransaction && !hooks.beforeCreate && !(publishes && hooks.beforePublish);

const oneByOne = (
  context: OperationContext,
  type: ContentType,
  bodies: readonly Data[],
  query: RawQuery,
): Promise<readonly string[]> =>
  context.services.inUnit(async (services) => {
    const documentIds: string[] = [];
    for (const [index, data] of bodies.entries()) {
      try {
        const request = { data, query: { ...query, fields: ["documentId"] } };
        const done = await create({ ...context, services }, type, request);
        if (done) documentIds.push(done.documentId);
      } catch (error) {
        throw placed(error, placeAt(index));
      }
    }
    return documentIds;
  });

/** Code may refer to drafts. */
const seesDrafts = (): boolean => true;

/** Parses all bodies, and collects their faults. */
const readAll = (
  context: OperationContext,
  { type, locale, status, publishes }: Wanted,
  bodies: readonly Data[],
  faults: Faults,
): readonly ReadWrite[] => {
  let entries = 0;
  const componentIds = takingAhead(context.services.componentIds, () => entries);
  const services = { ...context.services, componentIds };
  const reads: ReadWrite[] = [];
  for (const [index, data] of bodies.entries()) {
    try {
      checkKeys(context, type, data);
      const read = readWrite(services, { type, documentId: undefined, data, locale, status, seesDrafts });
      for (const items of read.body.item.components.values()) entries += countEntries(items) * (publishes ? 2 : 1);
      reads.push(read);
    } catch (error) {
      faults.note(index, error);
    }
  }
  return reads;
};

/** Plans all writes, with one query for everything that they refer to, and stores them. */
const storeReads = (
  { services }: OperationContext,
  type: ContentType,
  reads: readonly ReadWrite[],
  before: Faults,
): Promise<readonly Plan[]> =>
  transact(services, [], async (session) => {
    const [first] = reads;
    if (!first) return [];
    const faults = before.copy();
    const targets = new Targets(first.source, first.request.seesDrafts);
    await targets.load(session, type, ...reads.map(({ body }) => body.item));
    const plans: Plan[] = [];
    for (const [index, read] of reads.entries()) {
      try {
        plans.push(await planAlone(session, read, { targets: targets.of(type, read.body.item), opened: undefined }));
      } catch (error) {
        faults.note(index, error);
      }
    }
    faults.demandNone();
    await storeAll(session, plans, placingAt(plans.map((_plan, index) => placeAt(index))));
    return plans;
  });

/** SQLSTATE of a value that must be unique and is not. */
const REPEATED = "23505";

/**
 * Stores documents that consist of scalars only; undefined, without having done anything, if that is not all there is to
 * do or if they have faults.
 */
const storeRows = async (
  services: OperationContext["services"],
  { type, locale, status }: RowsRequest,
  bodies: readonly Data[],
): Promise<readonly string[] | undefined> => {
  const rows = planRows(services, { type, locale, status }, bodies);
  if (!rows) return undefined;
  try {
    await transact(services, [], async (session) => {
      for (const bound of rows.statements) await send(session, bound);
    });
    return rows.documentIds;
  } catch (error) {
    if (faultOf(error)?.code === REPEATED) return undefined;
    throw error;
  }
};

/** Whether something follows a write of each document. */
const isFollowed = ({ afterCreate, afterPublish }: WriteHooks): boolean => !!afterCreate || !!afterPublish;

/**
 * Creates documents in one transaction, in their order. Unless hooks or relations require one write after the other,
 * the number of statements does not grow with the number of documents.
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
  const status = statusOf(type, query);
  const publishes = type.draftAndPublish && status === "published";
  const locale = writtenLocale(services.config, type, query["locale"]);
  const hooks = hooksOf(services, type);
  if (!goTogether(hooks, publishes)) return oneByOne(context, type, bodies, query);
  const about = { type, known: undefined, query, locale, status, publishes, unpublishes: false };
  const stored = isFollowed(hooks) ? undefined : await storeRows(services, about, bodies);
  if (stored) {
    await afterwards(context, (outside) => [() => services.followUps[type.uid]?.committed(outside.services.database)]);
    return stored;
  }
  const faults = new Faults(
    bodies.map((_body, index) => placeAt(index)),
    services.config.limits.bodyErrors,
  );
  const reads = readAll({ ...context, caller: system }, { ...about, data: {} }, bodies, faults);
  if (reads.length < bodies.length) faults.demandNone();
  if (!reads.every(standsAlone)) return oneByOne(context, type, bodies, query);
  const plans = await storeReads(context, type, reads, faults);
  await afterwards(context, (outside) => [
    () => services.followUps[type.uid]?.committed(outside.services.database),
    ...plans.flatMap((plan, index) => {
      const done: Done = { documentId: plan.documentId, plan, shown: null };
      return follow(outside, hooks, { ...about, data: bodies[index] ?? {} }, done);
    }),
  ]);
  return plans.map(({ documentId }) => documentId);
};
