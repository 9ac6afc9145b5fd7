/** Adds to numbers of a document, so that concurrent additions all count. */
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { Session, Value } from "../../database/database.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType, Json, ScalarAttribute } from "../../schema/content-type.ts";
import { attributeOf, isCopiedToLocales, isScalar } from "../attributes.ts";
import { demandValid, readBody } from "../body/check.ts";
import type { WriteServices } from "../context.ts";
import { OWN } from "../links/reach.ts";
import { loadLinks } from "../links/relations.ts";
import { now, openDocument, type Plan } from "../plan/plan.ts";
import { NOTHING_NEW } from "../plan/uniqueness.ts";
import { fromColumn, toColumn, toJson } from "../plan/values.ts";
import { entityOf, requiredNames } from "../plan/version-values.ts";
import type { VersionChange } from "../recorders.ts";
import { updateVersion } from "../sql/put.ts";
import type { LoadedVersion } from "../sql/version.ts";
import type { OperationContext } from "./context.ts";
import { changeWithHooks, versionIn } from "./hooks.ts";
import { checkParameters, writtenLocale } from "./parameters.ts";
import { store, transact } from "./transaction.ts";
import { tasksAfter, type Wanted } from "./write.ts";

interface Addition {
  readonly name: string;
  readonly attribute: ScalarAttribute;
  readonly amount: number;
}

const NUMBERS = new Set(["integer", "biginteger", "float", "decimal"]);
const WHOLE_NUMBERS = new Set(["integer", "biginteger"]);

/** @throws ValidationError naming what is not a number, since calls are not always type-checked */
const additionsOf = (type: ContentType, amounts: unknown): readonly Addition[] => {
  if (!isRecord(amounts)) throw new ValidationError("The amounts must be an object: { views: 1 }");
  return Object.entries(amounts).map(([name, amount]) => {
    const attribute = attributeOf(type, name);
    if (!attribute || !isScalar(attribute) || !NUMBERS.has(attribute.type)) {
      throw new ValidationError(`${name} is no attribute of ${type.uid} with numbers`);
    }
    const isWhole = WHOLE_NUMBERS.has(attribute.type);
    if (typeof amount !== "number" || !Number.isFinite(amount) || (isWhole && !Number.isSafeInteger(amount))) {
      throw new ValidationError(`The amount for ${name} must be ${isWhole ? "a whole number" : "a number"}`);
    }
    return { name, attribute, amount };
  });
};

/** The sum in the form of a body. A missing value counts as zero. */
const sumOf = ({ attribute, amount }: Addition, current: Value): unknown =>
  attribute.type === "biginteger" ? String(BigInt(current ?? 0) + BigInt(amount)) : Number(current ?? 0) + amount;

/**
 * The version with the sums.
 *
 * @throws ValidationError if a sum is not valid in a body
 */
const added = async (
  services: WriteServices,
  session: Session,
  type: ContentType,
  version: LoadedVersion,
  additions: readonly Addition[],
): Promise<LoadedVersion> => {
  const sums = Object.fromEntries(additions.map((each) => [each.name, sumOf(each, version.values[each.name] ?? null)]));
  const source = { services, type, locale: version.locale };
  const body = readBody(source, sums);
  const isPublished = version.status === "published";
  const names = services.registry.isExtended(type.uid) ? requiredNames(services, type) : [];
  const links = await loadLinks(session, { ...source, ...version }, names);
  demandValid(source, body, { unchanged: entityOf(type, version, links), isPublished });
  const values = Object.fromEntries(
    additions.map(({ name, attribute }) => [name, toColumn(attribute, body.item.data[name])]),
  );
  return { ...version, updatedAt: now(), values: { ...version.values, ...values } };
};

/** The versions that an addition changes, and the plan that stores them. */
interface Increment {
  readonly plan: Plan;
  readonly changed: readonly LoadedVersion[];
}

const planIncrement = async (
  services: WriteServices,
  session: Session,
  { type, locale }: Wanted,
  documentId: string,
  additions: readonly Addition[],
): Promise<Increment | undefined> => {
  const opened = await openDocument(session, type, documentId, OWN);
  const before = opened?.versions.filter((version) => version.locale === locale) ?? [];
  if (!opened || before.length === 0) return undefined;
  const changed = await Promise.all(
    opened.versions.flatMap((version) => {
      const own = additions.filter(({ attribute }) => version.locale === locale || isCopiedToLocales(attribute));
      return own.length === 0 ? [] : [added(services, session, type, version, own)];
    }),
  );
  const inLocale = changed.filter((version) => version.locale === locale);
  const version = versionIn(type, inLocale, "draft") ?? inLocale[0] ?? before[0];
  if (!version) return undefined;
  const steps = changed.map((each) => updateVersion(type, each));
  const changes = changed.map((each): VersionChange => {
    return { action: "update", type, version: each, before: opened.versions.find(({ id }) => id === each.id) };
  });
  return { plan: { type, version, before, uniqueness: NOTHING_NEW, steps, changes }, changed: inLocale };
};

const sumsIn = (
  type: ContentType,
  { plan, changed }: Increment,
  additions: readonly Addition[],
): Readonly<Record<string, Json>> => {
  const { values } = versionIn(type, changed, "published") ?? plan.version;
  return Object.fromEntries(
    additions.map(({ name, attribute }) => [name, toJson(attribute, fromColumn(attribute, values[name] ?? null))]),
  );
};

/**
 * Adds to numbers of a document, both in its draft and in its published version, each of which keeps its other values.
 * Hooks after an update run; hooks before it do not, because the sums are known only once the document is locked.
 *
 * @returns the sums in the published version, or in the draft if there is none; null if there is no such document
 * @throws ValidationError if a sum is not valid
 */
export const increment = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  amounts: unknown,
  query: RawQuery,
): Promise<Readonly<Record<string, Json>> | null> => {
  const { services } = context;
  checkParameters(query, ["locale"]);
  const additions = additionsOf(type, amounts);
  // Hooks see an update of the draft.
  const state: Wanted = {
    type,
    documentId,
    query,
    data: isRecord(amounts) ? amounts : {},
    locale: writtenLocale(services.config, type, query["locale"]),
    status: type.draftAndPublish ? "draft" : "published",
    seesDrafts: () => true,
  };
  const done = await changeWithHooks(context, type, documentId, {
    state,
    before: () => state,
    make: (inside) =>
      transact(inside.services, [documentId], async (session) => {
        const planned = await planIncrement(services, session, state, documentId, additions);
        if (planned) await session.last(() => store(inside, session, [planned.plan]));
        return planned;
      }),
    after: (where, hooks, wanted, { plan }) => tasksAfter(where, hooks, wanted, { documentId, plan, shown: null }),
  });
  return done && sumsIn(type, done, additions);
};
