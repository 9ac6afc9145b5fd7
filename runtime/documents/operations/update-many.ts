/** Changes many documents in one transaction. */
import { system } from "../../access/caller.ts";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Session } from "../../database/database.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { validationError } from "../../schema/validation/check.ts";
import { checkKeys } from "../body/keys.ts";
import { Targets } from "../body/references.ts";
import { countEntries } from "../plan/entries.ts";
import { countInherited } from "../plan/locales.ts";
import { openDocuments, type Opened } from "../plan/open.ts";
import type { Plan } from "../plan/plan.ts";
import { storeAll } from "../plan/together.ts";
import { planAlone, type ReadWrite, readWrite, standsAlone } from "../plan/write.ts";
import { takingAhead } from "../sql/component-ids.ts";
import { afterwards } from "./after.ts";
import { hooksOf, type OperationContext } from "./context.ts";
import { findIds, matchOf } from "./found.ts";
import { writtenLocale } from "./locale.ts";
import { Faults, type Place, placed, placingAt } from "./placed-faults.ts";
import { transact } from "./transaction.ts";
import { follow, statusOf, type Wanted } from "./wanted.ts";
import { update } from "./write.ts";

const placeOf = (documentId: string): Place => ({ label: documentId, key: documentId });

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

const oneByOne = (
  context: OperationContext,
  { type, data, query }: Wanted,
  match: RawQuery,
): Promise<readonly string[]> =>
  context.services.inUnit(async (services) => {
    const inside = { ...context, services };
    const found = [...(await openFound(inside, services.database, type, match)).keys()];
    for (const documentId of found) {
      try {
        await update(inside, type, documentId, { data, query: { ...query, fields: ["documentId"] } });
      } catch (error) {
        throw placed(error, placeOf(documentId));
      }
    }
    return found;
  });

const planAll = async (
  session: Session,
  read: ReadWrite,
  opened: ReadonlyMap<string, Opened>,
  most: number,
): Promise<readonly Plan[]> => {
  const { request, source, body } = read;
  const targets = new Targets(source, request.seesDrafts);
  await targets.load(session, request.type, body.item);
  const places = [...opened.keys()].map(placeOf);
  const faults = new Faults(places, most);
  const plans: Plan[] = [];
  for (const [index, [documentId, each]] of [...opened].entries()) {
    try {
      const own = { ...read, documentId, request: { ...request, documentId } };
      plans.push(await planAlone(session, own, { targets, opened: each }));
    } catch (error) {
      faults.note(index, error);
    }
  }
  faults.demandNone();
  await storeAll(session, plans, placingAt(places));
  return plans;
};

/**
 * Changes the documents that a query finds, in one transaction. Unless hooks or relations require one write after the
 * other, the number of statements does not grow with the number of documents. The query finds versions as `find` does,
 * and the versions that it finds are changed.
 *
 * @returns the documentIds
 * @throws ValidationError whose faults name the document that each belongs to
 */
export const updateMany = async (
  context: OperationContext,
  type: ContentType,
  data: unknown,
  query: RawQuery,
): Promise<readonly string[]> => {
  const { services } = context;
  const match = matchOf(query);
  if (!isRecord(data)) throw new ValidationError("data must be an object");
  const status = statusOf(type, query);
  const publishes = type.draftAndPublish && status === "published";
  const locale = writtenLocale(services.config, type, query["locale"]);
  const hooks = hooksOf(services, type);
  const followUp = services.followUps[type.uid];
  const { filters: _filters, ...written } = query;
  const wanted: Wanted = { type, known: "", data, query: written, locale, status, publishes, unpublishes: false };
  checkKeys({ ...context, caller: system }, type, data);
  if (hooks.inTransaction || hooks.beforeUpdate || (publishes && hooks.beforePublish) || followUp?.updated) {
    return oneByOne(context, wanted, match);
  }
  let entries = 0;
  const ahead = { ...services, componentIds: takingAhead(services.componentIds, () => entries) };
  const read = readWrite(ahead, { type, documentId: "", data, locale, status, seesDrafts: () => true });
  if (read.body.errors.length > 0) throw validationError(read.body.errors);
  if (!standsAlone(read)) return oneByOne(context, wanted, match);
  const plans = await transact(services, [], async (session) => {
    const opened = await openFound(context, session, type, match);
    const versions = [...opened.values()].flatMap((each) => (publishes ? each.versions : []));
    entries = opened.size * countEntries([...read.body.item.components.values()].flat()) * 2;
    for (const version of versions) entries += countInherited(type, version);
    return planAll(session, read, opened, services.config.limits.bodyErrors);
  });
  await afterwards(context, (outside) => [
    () => followUp?.committed(outside.services.database),
    ...plans.flatMap((plan) =>
      follow(outside, hooks, { ...wanted, known: plan.documentId }, { documentId: plan.documentId, plan, shown: null }),
    ),
  ]);
  return plans.map(({ documentId }) => documentId);
};
