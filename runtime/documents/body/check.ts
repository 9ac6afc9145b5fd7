/** Checks the data of a body against the validators and against the documents that it refers to. */
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { checkData, type FieldError, validationError } from "../../schema/validation/check.ts";
import type { Mode } from "../../schema/validators.ts";
import { relationFault, withDefaults, zoneFault } from "../entity.ts";
import { hashPasswords } from "../passwords.ts";
import type { Source, Targets } from "../references.ts";
import { checkAllowedTypes } from "./allowed-types.ts";
import { mediaUses } from "./media-uses.ts";
import { type ParsedItem, parseData } from "./parse.ts";

/** A body as far as it can be judged by itself. */
export interface ReadBody {
  readonly item: ParsedItem;
  readonly errors: readonly FieldError[];
  /** What is wrong with the entries of zones; undefined when nothing is. */
  readonly zoneFault: string | undefined;
  /** The data with every relation in its long form, as error details show it. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Casts and validates a body, and takes it apart. */
export const readBody = ({ services, type }: Source, body: Readonly<Record<string, unknown>>, mode: Mode): ReadBody => {
  const components = Object.keys(services.registry.components);
  const { data, errors } = checkData(services.registry.validator(type.uid), body, mode, components);
  return { ...parseData(services, type, data), errors, zoneFault: zoneFault(services, type, data) };
};

export interface BodyCheck {
  readonly source: Source;
  /** What the body refers to, looked up. */
  readonly targets: Targets;
  /** Whether the version is new: it gets defaults. */
  readonly isNew: boolean;
  /** Attributes that a new locale takes over from another one, which the body need not set. */
  readonly inherited: ReadonlySet<string>;
  /** The instant at which it is published; null for a draft. */
  readonly publishedAt: string | null;
}

/** What is to be written. Throws the contract's ValidationError for everything that is wrong with the body. */
export const checkBody = async (
  session: Session,
  { item, errors, zoneFault: inZone, shown }: ReadBody,
  check: BodyCheck,
): Promise<ParsedItem> => {
  const { source, targets, inherited } = check;
  const { services, type } = source;
  targets.checkDocuments();
  const fault = inZone ?? targets.fault(item);
  const all: FieldError[] = errors.filter(({ path: [name] }) => name === undefined || !inherited.has(name));
  if (fault !== undefined) all.push(relationFault(fault, documentShown(check, type, shown)));
  if (all.length > 0) throw validationError(all);
  await checkAllowedTypes(services, session, [...mediaUses({ services, targets }, type, item)]);
  return hashPasswords(services, type, item);
};

/** The document as the error details of a fault of its relations show it. */
const documentShown = (
  { source, isNew, publishedAt }: BodyCheck,
  type: ContentType,
  shown: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...(isNew ? withDefaults(type, source.services.registry.validator(type.uid), shown) : shown),
  publishedAt,
  ...(source.locale === null ? {} : { locale: source.locale }),
});
