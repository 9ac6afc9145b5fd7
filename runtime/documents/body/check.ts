/** Checks the data of a body against the validators and against the documents that it refers to. */
import type { ContentType } from "../../content-type.ts";
import type { Session } from "../../database/database.ts";
import { checkAllowedTypes } from "../../media/allowed-types.ts";
import { checkData, type FieldError, validationError } from "../../validation/check.ts";
import type { Mode } from "../../validators.ts";
import { relationFault, validatorOf, withDefaults, zoneFault } from "../entity.ts";
import { hashPasswords } from "../passwords.ts";
import { type Source, Targets } from "../references.ts";
import { mediaUses } from "./media-uses.ts";
import { type ParsedItem, parseData } from "./parse.ts";

export interface BodyCheck {
  readonly source: Source;
  readonly data: Readonly<Record<string, unknown>>;
  readonly mode: Mode;
  /** Whether the version is new: it gets defaults. */
  readonly isNew: boolean;
  /** Attributes that a new locale takes over from another one, which the body need not set. */
  readonly inherited: ReadonlySet<string>;
  /** The instant at which it is published; null for a draft. */
  readonly publishedAt: string | null;
}

export interface CheckedBody {
  readonly item: ParsedItem;
  readonly targets: Targets;
}

/** Takes a body apart. Throws the contract's ValidationError for everything that is wrong with it. */
export const checkBody = async (session: Session, check: BodyCheck): Promise<CheckedBody> => {
  const { source, inherited } = check;
  const { services, type } = source;
  const components = Object.keys(services.registry.application.components);
  const { data, errors } = checkData(validatorOf(services, type.uid), check.data, check.mode, components);
  const { item, shown } = parseData(services, type, data);
  const targets = new Targets(source);
  await targets.load(session, type, item);
  const fault = zoneFault(services, type, data) ?? targets.fault(item);
  const all: FieldError[] = errors.filter(({ path: [name] }) => name === undefined || !inherited.has(name));
  if (fault !== undefined) all.push(relationFault(fault, documentShown(check, type, shown)));
  if (all.length > 0) throw validationError(all);
  await checkAllowedTypes(services, session, [...mediaUses({ services, targets }, type, item)]);
  return { item: await hashPasswords(services, type, item), targets };
};

/** The document as the error details of a fault of its relations show it. */
const documentShown = (
  { source, isNew, publishedAt }: BodyCheck,
  type: ContentType,
  shown: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...(isNew ? withDefaults(type, validatorOf(source.services, type.uid), shown) : shown),
  publishedAt,
  ...(source.locale === null ? {} : { locale: source.locale }),
});
