/** Everything that has to be unique in a version that is to be published. */
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { attributesOf, isComponent, isCopiedToLocales } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { columnLookups, findRepeated, type Lookup, repeatedColumn } from "./unique-columns.ts";
import { uniqueEntries } from "./unique-entries.ts";

export interface Uniqueness {
  /** Has to find nothing before the version is stored. */
  readonly first: readonly Lookup[];
  /** Tells what is wrong once storing was refused. */
  readonly afterwards: readonly Lookup[];
}

/** For versions that bring no new values. */
export const NOTHING_NEW: Uniqueness = { first: [], afterwards: [] };

/** What is published in another locale, with the components that it gets from `version`. */
const follower = (type: ContentType, version: Version, other: LoadedVersion): Version => {
  const shared = attributesOf(type).flatMap(([name, attribute]) =>
    isComponent(attribute) && isCopiedToLocales(attribute) ? [[name, version.values[name] ?? null] as const] : [],
  );
  return { ...other, values: { ...other.values, ...Object.fromEntries(shared) } };
};

/**
 * What has to be unique in `version`, which takes the place of `before`, and in those of `versions` that get something
 * from it. `errors` is what else is wrong with it: with any fault that can be known by now, the contract's
 * ValidationError is thrown for all there are.
 */
export const checkUniqueness = async (
  session: Session,
  services: WriteServices,
  errors: readonly FieldError[],
  {
    type,
    documentId,
    version,
    before,
    versions,
  }: {
    readonly type: ContentType;
    readonly documentId: string;
    readonly version: Version;
    readonly before: Version | undefined;
    /** All that there are of the document. */
    readonly versions: readonly LoadedVersion[];
  },
): Promise<Uniqueness> => {
  const columns = columnLookups(type, documentId, version, before);
  const entries = uniqueEntries(services, type, documentId, version, before);
  const elsewhere = versions
    .filter(({ status, locale }) => status === "published" && locale !== version.locale)
    .flatMap((other) => uniqueEntries(services, type, documentId, follower(type, version, other), other).lookups);
  const first = [...entries.lookups, ...elsewhere];
  const all = [...columns, ...first];
  if (errors.length + entries.faults.length > 0) {
    throw validationError([...errors, ...entries.faults, ...(await findRepeated(session, all))]);
  }
  return { first, afterwards: all };
};

/** A unique value was refused by its index, which ended the transaction. */
export class RepeatedValue extends Error {
  readonly #first: FieldError;
  readonly #lookups: readonly Lookup[];
  readonly #errorOf: typeof validationError;

  constructor(first: FieldError, lookups: readonly Lookup[], errorOf = validationError) {
    super(first.message);
    this.#first = first;
    this.#lookups = lookups;
    this.#errorOf = errorOf;
  }

  /** The contract's error, which names every value that is taken. */
  async explain(session: Session): Promise<Error> {
    const all = await findRepeated(session, this.#lookups);
    return this.#errorOf(all.length > 0 ? all : [this.#first]);
  }
}

/** What the failure of a statement means; undefined when it has nothing to do with unique values. */
export const repeatedValue = (
  error: unknown,
  type: ContentType,
  version: Version,
  { afterwards }: Uniqueness,
): RepeatedValue | undefined => {
  const fault = repeatedColumn(error, type, version);
  return fault && new RepeatedValue(fault, afterwards);
};
