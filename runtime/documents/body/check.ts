/** Validates the data of a body, and the documents and files that it refers to. */
import type { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { type Data, type FieldError, type Path, validationError, valueAt } from "../../schema/validation/check.ts";
import { MISSING, NO_REFERENCE } from "../../schema/validation/links.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
import { pathText } from "../../schema/validation/print.ts";
import { attributesOf } from "../attributes.ts";
import type { Source, WriteServices } from "../context.ts";
import { checkAllowedTypes, type MediaUse } from "./allowed-types.ts";
import {
  checked,
  checkVersion,
  hidesStored,
  isLeftOut,
  type Issue,
  ruleBreaks,
  ruleOf,
  writtenSchema,
} from "./check-version.ts";
import { componentUid, type FileUse, type ParsedItem, readItem, type Reading, shownData } from "./parse.ts";
import { hashPasswords } from "./passwords.ts";
import type { Targets } from "./references.ts";
import { fieldError, typeFault, examineText, type TextReport } from "./storable.ts";

/** A parsed body. */
export interface ReadBody extends Omit<Reading, "services"> {
  readonly sent: Data;
  readonly item: ParsedItem;
  readonly text: TextReport;
  /** The fault in zone entries; undefined if there is none. */
  readonly zoneFault: string | undefined;
}

/** The fault for zone entries of unknown components, whose relations therefore cannot be determined. */
const zoneFault = (
  services: WriteServices,
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, attribute] of attributesOf(type)) {
    const value = data[name];
    if (attribute.type !== "dynamiczone" || value === undefined || value === null) continue;
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry === null) return "Invalid relations";
      if (!isRecord(entry) || entry["__component"] === undefined) {
        return "Cannot build relations store from dynamiczone, component identifier is undefined";
      }
      if (componentUid(services, entry) === undefined) return "Invalid relations";
    }
  }
  return undefined;
};

/** Casts and parses a body. */
export const readBody = (source: Source, sent: Data): ReadBody => {
  const { services, type } = source;
  const reading: Reading = {
    services,
    files: [],
    uncast: [],
    infinite: [],
    missingLists: [],
    unstorable: [],
    invalidLinks: [],
    hasPassword: false,
  };
  const item = readItem(reading, { owner: type, schema: services.registry.validator(type.uid) }, sent, []);
  return { ...reading, sent, item, text: examineText(sent), zoneFault: zoneFault(services, type, item.data) };
};

/** The version that a body changes. */
export interface Present {
  /** Whether the version is new, and so gets defaults. */
  readonly isNew: boolean;
  /** The values that the body leaves unchanged, in the form of a body. */
  readonly unchanged: Data;
  /** Attributes that a new locale copies from another locale, whatever the body contains. */
  readonly inherited: Data;
  /** Whether it is a published version that is changed in place. */
  readonly isPublished?: boolean;
  /** Whether the version is to be published, too. */
  readonly publishes: boolean;
}

/** The faults of a body. */
interface BodyFaults {
  readonly errors: readonly FieldError[];
  readonly hasInvalidReference: boolean;
  readonly uncast: ValidationError | undefined;
}

const hasPath = (issue: Issue, path: readonly PropertyKey[]): boolean =>
  path.every((segment, index) => issue.path[index] === segment);

/** The faults of a version to be written: those in the values that its body supplies. */
const faultsOf = (source: Source, body: ReadBody, present: Present): BodyFaults => {
  const { services } = source;
  const { data } = body.item;
  const schema = present.isPublished ? services.registry.validator(source.type.uid) : writtenSchema(source);
  const version = { ...present.unchanged, ...data, ...present.inherited };
  const isInherited = ([name = ""]: Path): boolean => Object.hasOwn(present.inherited, name);
  let hasInvalidReference = body.invalidLinks.some((path) => !isInherited(path));
  const original = (path: Path): unknown => valueAt(body.sent, path);
  const isHidden = hidesStored(source, version, data);
  const { hasLong, faults } = body.text;
  const check = { original, isNew: present.isNew, hasLong, isHidden };
  const breaksRule = ruleBreaks(source, schema, present.unchanged, check);
  const isIgnored = (issue: Issue): boolean => {
    const [name] = issue.path;
    if (name === undefined) return false;
    if (isInherited(issue.path)) return true;
    // An update keeps what it leaves out, also within components.
    if (!present.isNew && !Object.hasOwn(data, name)) return !breaksRule(issue);
    if (!present.isNew && isLeftOut(source, data, issue.path)) return true;
    if (ruleOf(issue) === NO_REFERENCE) return (hasInvalidReference = true);
    if (ruleOf(issue) === MISSING && !services.config.documents.strictRelations) return true;
    return body.uncast.some(({ path }) => hasPath(issue, path));
  };
  const errors = [
    ...faults,
    ...body.infinite.map(notFinite),
    ...(source.type.draftAndPublish && !present.publishes ? [] : body.missingLists.map(notNull)),
    ...checked(source, schema, version, { ...check, isIgnored }),
  ];
  addOthers(
    errors,
    body.unstorable.filter(({ path }) => !isInherited(path)),
  );
  // The version is validated again when it is published. By then passwords are hashes.
  if (present.publishes && (errors.length > 0 || body.hasPassword))
    addOthers(errors, checkVersion(source, version, { given: data }));
  return { errors, hasInvalidReference, uncast: body.uncast[0]?.error };
};

/** @throws ValidationError if the changes have faults, whichever documents they target */
export const demandValid = (source: Source, body: ReadBody, changed: Partial<Present> = {}): void => {
  const present = { isNew: false, unchanged: {}, inherited: {}, publishes: false, ...changed };
  const { errors } = faultsOf(source, body, present);
  if (errors.length > 0) throw validationError(errors.slice(0, source.services.config.limits.bodyErrors));
};

const notFinite = (path: Path): FieldError => fieldError(path, `${pathText(path)} must be a finite number`, null);

const notNull = (path: Path): FieldError => typeFault("array", path, null);

const pathOf = ({ path }: FieldError): string => path.join(".");

/** Adds the errors whose paths have none yet. */
const addOthers = (errors: FieldError[], others: readonly FieldError[]): void => {
  const known = new Set(errors.map(pathOf));
  errors.push(...others.filter((error) => !known.has(pathOf(error))));
};

export interface BodyCheck extends Present {
  readonly source: Source;
  /** The documents and files that the body refers to. */
  readonly targets: Targets;
  /** The instant of publication; null for a draft. */
  readonly publishedAt: string | null;
}

/**
 * Validates the body and returns the data to write. Throws the contract's ValidationError with all faults of the body.
 */
export const checkBody = async (body: ReadBody, check: BodyCheck): Promise<ParsedItem> => {
  const { source, targets, inherited } = check;
  const { services, type } = source;
  const { item, files } = body;
  targets.checkDocuments();
  const { errors, hasInvalidReference, uncast } = faultsOf(source, body, check);
  const fault = body.zoneFault ?? (hasInvalidReference ? "Invalid relations" : targets.fault());
  const all =
    fault === undefined ? errors : [...errors, fieldError([], fault, documentShown(check, type, shownData(item)))];
  if (all.length > 0) throw validationError(all);
  if (uncast) throw uncast;
  if (files.length > 0) {
    checkAllowedTypes(
      services.config,
      files.map((use) => mediaUse(targets, use)),
    );
  }
  if (!body.hasPassword) return item;
  const owner = {
    attributes: type.attributes,
    schema: writtenSchema(source),
    hasDefault: (name: string) => check.isNew && !Object.hasOwn(inherited, name),
  };
  return hashPasswords(services, owner, item, check.isNew);
};

const mediaUse = (targets: Targets, { path, change: { set = [], connect }, types }: FileUse): MediaUse => ({
  path: path.map(String),
  files: [...set, ...connect].flatMap((reference) => targets.file(reference) ?? []),
  allowedTypes: types,
});

/** The data of a new document with its defaults added. */
const withDefaults = (
  type: ContentType,
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const complete: Record<string, unknown> = { ...data };
  for (const [name, attribute] of attributesOf(type)) {
    if (Object.hasOwn(data, name)) continue;
    const standard = membersOf(schema).get(name)?.default;
    const isList = attribute.type === "dynamiczone" || (attribute.type === "component" && attribute.repeatable);
    if (standard !== undefined) complete[name] = standard;
    else if (isList) complete[name] = [];
  }
  return complete;
};

/** The document as shown in the error details of invalid relations. */
const documentShown = ({ source, isNew, publishedAt }: BodyCheck, type: ContentType, shown: Data): Data => ({
  ...(isNew ? withDefaults(type, writtenSchema(source), shown) : shown),
  publishedAt,
  ...(source.locale === null ? {} : { locale: source.locale }),
});
