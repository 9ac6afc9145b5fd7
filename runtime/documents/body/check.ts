/** Checks the data of a body with the validators, and the documents and files that it refers to. */
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { checkData, type Data, type FieldError, validationError } from "../../schema/validation/check.ts";
import type { Mode } from "../../schema/validation/mode.ts";
import { checkAllowedTypes, type MediaUse } from "./allowed-types.ts";
import { type FileUse, type ParsedItem, readItem, type Reading, shownData } from "./parse.ts";
import { hashPasswords } from "./passwords.ts";
import { FILES, type Source, type Targets } from "./references.ts";
import { relationFault, withDefaults, zoneFault } from "./relation-faults.ts";

/** A body after the checks that need no database. */
export interface ReadBody {
  readonly item: ParsedItem;
  readonly errors: readonly FieldError[];
  /** The fault in entries of zones; undefined when there is none. */
  readonly zoneFault: string | undefined;
  readonly files: readonly FileUse[];
  readonly hasPassword: boolean;
}

/** Casts, parses and validates a body; in mode `create`, adds defaults first. */
export const readBody = ({ services, type }: Source, sent: Data, mode: Mode): ReadBody => {
  const components = Object.keys(services.registry.components);
  const schema = services.registry.validator(type.uid);
  const reading: Reading = { services, defaults: mode === "create", unchecked: [], files: [], hasPassword: false };
  const item = readItem(reading, { owner: type, schema }, sent, []);
  const { unchecked, files, hasPassword } = reading;
  const errors = checkData(schema, item.data, {
    mode,
    strictRelations: services.config.documents.strictRelations,
    sent,
    unchecked,
    components,
    most: services.config.limits.bodyErrors,
  });
  return { item, errors, zoneFault: zoneFault(services, type, item.data), files, hasPassword };
};

/** Validates a version that is to be published. Returns its faults. */
export const checkVersion = ({ services, type }: Source, version: Data): readonly FieldError[] => {
  const schema = services.registry.validator(type.uid);
  const reading: Reading = { services, defaults: true, stored: true, unchecked: [], files: [], hasPassword: false };
  const { data } = readItem(reading, { owner: type, schema }, version, []);
  const { strictRelations } = services.config.documents;
  return checkData(schema, data, { mode: "create", strictRelations, sent: version, unchecked: reading.unchecked });
};

export interface BodyCheck {
  readonly source: Source;
  /** The documents and files that the body refers to. */
  readonly targets: Targets;
  /** Whether the version is new, so that it gets defaults. */
  readonly isNew: boolean;
  /** Attributes that a new locale copies from another locale, so that they may be missing in the body. */
  readonly inherited: ReadonlySet<string>;
  /** The instant of publication; null for a draft. */
  readonly publishedAt: string | null;
}

/** Checks the body and returns the data to write. Throws the contract's ValidationError with all faults of the body. */
export const checkBody = async (
  session: Session,
  { item, errors, zoneFault: inZone, files, hasPassword }: ReadBody,
  check: BodyCheck,
): Promise<ParsedItem> => {
  const { source, targets, inherited } = check;
  const { services, type } = source;
  targets.checkDocuments();
  const fault = inZone ?? targets.fault(item);
  const all: FieldError[] = errors.filter(({ path: [name] }) => name === undefined || !inherited.has(name));
  if (fault !== undefined) all.push(relationFault(fault, documentShown(check, type, shownData(item))));
  if (all.length > 0) throw validationError(all);
  await checkAllowedTypes(
    services,
    session,
    files.map((use) => mediaUse(targets, use)),
  );
  if (!hasPassword) return item;
  const { attributes } = type;
  const schema = services.registry.validator(type.uid);
  const hasDefault = (name: string): boolean => check.isNew && !inherited.has(name);
  return hashPasswords(services, { attributes, schema, hasDefault }, item, check.isNew);
};

const mediaUse = (targets: Targets, { path, change: { set = [], connect }, types }: FileUse): MediaUse => ({
  path: path.map(String),
  fileIds: [...set, ...connect].flatMap((reference) => targets.id(FILES, reference) ?? []),
  allowedTypes: types,
});

/** The document as it is shown in the error details of faulty relations. */
const documentShown = ({ source, isNew, publishedAt }: BodyCheck, type: ContentType, shown: Data): Data => ({
  ...(isNew ? withDefaults(type, source.services.registry.validator(type.uid), shown) : shown),
  publishedAt,
  ...(source.locale === null ? {} : { locale: source.locale }),
});
