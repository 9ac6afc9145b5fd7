/** Checks everything that must be unique in a version to be published. */
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { attributesOf, isComponent, isCopiedToLocales } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { columnLookups, findRepeated, type Lookup, uniqueEntries } from "./unique-values.ts";

export interface Uniqueness {
  /** Lookups that must find nothing before the version is stored. */
  readonly first: readonly Lookup[];
  /** Lookups that find the cause when storing was refused. */
  readonly afterwards: readonly Lookup[];
}

/** For versions without new values. */
export const NOTHING_NEW: Uniqueness = { first: [], afterwards: [] };

/** The published version in another locale, with the components that it copies from `version`. */
const follower = (type: ContentType, version: Version, other: LoadedVersion): Version => {
  const shared = attributesOf(type).flatMap(([name, attribute]) =>
    isComponent(attribute) && isCopiedToLocales(attribute) ? [[name, version.values[name] ?? null] as const] : [],
  );
  return { ...other, values: { ...other.values, ...Object.fromEntries(shared) } };
};

/**
 * Checks what must be unique in `version`, which replaces `before`, and in those of `versions` that copy values from
 * it. `errors` are other faults of the version. If there are any faults, throws the contract's ValidationError with all
 * of them.
 */
export const checkUniqueness = async (
  session: Session,
  services: WriteServices,
  errors: readonly FieldError[],
  {
    type,
    version,
    before,
    versions,
  }: {
    readonly type: ContentType;
    readonly version: Version;
    readonly before: Version | undefined;
    /** All versions of the document. */
    readonly versions: readonly LoadedVersion[];
  },
): Promise<Uniqueness> => {
  const columns = columnLookups(type, version, before);
  const entries = uniqueEntries(services, type, version, before);
  const elsewhere = versions
    .filter(({ status, locale }) => status === "published" && locale !== version.locale)
    .flatMap((other) => uniqueEntries(services, type, follower(type, version, other), other).lookups);
  const first = [...entries.lookups, ...elsewhere];
  const all = [...columns, ...first];
  if (errors.length + entries.faults.length > 0)
    throw validationError([...errors, ...entries.faults, ...(await findRepeated(session, all))]);
  return { first, afterwards: all };
};

/** An index refused a unique value, and the transaction has failed. */
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

  /** The contract's error, naming every value that is taken. */
  async explain(session: Session): Promise<Error> {
    const all = await findRepeated(session, this.#lookups);
    return this.#errorOf(all.length > 0 ? all : [this.#first]);
  }
}
