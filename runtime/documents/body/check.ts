/** Checks the data of a body with the validators, and the documents and files that it refers to. */
import type { ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
import type { Attribute, ComponentUid, ContentType, Field } from "../../schema/content-type.ts";
import {
  checkData,
  type Data,
  type FieldError,
  type Path,
  validationError,
  valueAt,
} from "../../schema/validation/check.ts";
import { MISSING, NO_REFERENCE } from "../../schema/validation/links.ts";
import type { Schema } from "../../schema/validation/members.ts";
import { pathText } from "../../schema/validation/print.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { checkAllowedTypes, type MediaUse } from "./allowed-types.ts";
import { componentUid, type FileUse, type ParsedItem, readItem, type Reading, shownData } from "./parse.ts";
import { hashPasswords } from "./passwords.ts";
import { FILES, type Source, type Targets } from "./references.ts";
import { relationFault, withDefaults, zoneFault } from "./relation-faults.ts";
import { fieldError, typeFault, examineText, type TextReport } from "./storable.ts";

/** A parsed body. */
export interface ReadBody extends Omit<Reading, "services"> {
  readonly sent: Data;
  readonly item: ParsedItem;
  readonly text: TextReport;
  /** The fault in entries of zones; undefined when there is none. */
  readonly zoneFault: string | undefined;
}

/** What the check of a version depends on. */
interface Checking {
  readonly type: ContentType;
  readonly services: Pick<WriteServices, "registry"> & {
    readonly config: { readonly documents: { readonly strictRelations: boolean } };
  };
}

/** The schema that every written version has to satisfy: that of drafts, if the type has them. */
const writtenSchema = ({ services: { registry }, type }: Checking): Schema =>
  type.draftAndPublish ? registry.draftValidator(type.uid) : registry.validator(type.uid);

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

type Issue = Parameters<Parameters<typeof checkData>[2]["isIgnored"]>[0];

const ruleOf = (issue: Issue): unknown => (issue.code === "custom" ? issue.params?.["rule"] : undefined);

const hasPath = (issue: Issue, path: readonly PropertyKey[]): boolean =>
  path.every((segment, index) => issue.path[index] === segment);

/** The attribute to which a path in the data of a document leads; undefined within the value of an attribute. */
const attributeAt = ({ services, type }: Checking, data: Data, path: Path): Attribute | Field | undefined => {
  let owner: Attributed | undefined = type;
  let attribute: Attribute | Field | undefined;
  for (const [index, segment] of path.entries()) {
    if (typeof segment === "number" && attribute && "components" in attribute) continue;
    if (typeof segment === "number" && attribute?.type === "component") continue;
    attribute = owner?.attributes[String(segment)];
    const entry = valueAt(data, path.slice(0, typeof path[index + 1] === "number" ? index + 2 : index + 1));
    const uid: ComponentUid | undefined =
      attribute?.type === "component" ? attribute.component : componentUid(services, entry);
    owner = uid === undefined ? undefined : services.registry.components[uid]?.component;
  }
  return attribute;
};

const isLeftOut = (source: Source, data: Data, path: Path): boolean =>
  valueAt(data, path) === undefined && attributeAt(source, data, path) !== undefined;

/** How a version is checked. */
interface VersionCheck {
  /** A part of the version whose passwords are checked; those that are stored are hashes. */
  readonly given?: Data;
  /** Whether it stays a draft. */
  readonly isDraft?: boolean;
}

/** Returns the faults of a version, by default of one that is to be published. */
export const checkVersion = (
  source: Checking,
  version: Data,
  { given = {}, isDraft = false }: VersionCheck = {},
): readonly FieldError[] =>
  checkData(isDraft ? writtenSchema(source) : source.services.registry.validator(source.type.uid), version, {
    original: (path) => valueAt(version, path),
    isNew: true,
    isLong: examineText(version).isLong,
    isIgnored: (issue) =>
      (ruleOf(issue) === MISSING && !source.services.config.documents.strictRelations) ||
      (typeof valueAt(version, issue.path) === "string" &&
        valueAt(given, issue.path) === undefined &&
        attributeAt(source, version, issue.path)?.type === "password"),
  });

/** The version that a body changes. */
export interface Present {
  /** Whether there is no such version yet, so that it gets defaults. */
  readonly isNew: boolean;
  /** The values that the body does not change, in the form of a body. */
  readonly unchanged: Data;
  /** Attributes that a new locale copies from another locale, whatever the body says of them. */
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

/** The faults of a version that is written: those of the values that its body gives. */
const faultsOf = (source: Source, body: ReadBody, present: Present): BodyFaults => {
  const { services } = source;
  const { data } = body.item;
  const schema = present.isPublished ? services.registry.validator(source.type.uid) : writtenSchema(source);
  const version = { ...present.unchanged, ...data, ...present.inherited };
  const isInherited = ([name = ""]: Path): boolean => Object.hasOwn(present.inherited, name);
  let hasInvalidReference = body.invalidLinks.some((path) => !isInherited(path));
  const isIgnored = (issue: Issue): boolean => {
    const [name] = issue.path;
    if (name === undefined) return false;
    if (isInherited(issue.path)) return true;
    // What an update leaves out stays as it is, also within components.
    if (!present.isNew && (!Object.hasOwn(data, name) || isLeftOut(source, data, issue.path))) return true;
    if (ruleOf(issue) === NO_REFERENCE) return (hasInvalidReference = true);
    if (ruleOf(issue) === MISSING && !services.config.documents.strictRelations) return true;
    return body.uncast.some(({ path }) => hasPath(issue, path));
  };
  const original = (path: readonly PropertyKey[]): unknown => valueAt(body.sent, path);
  const { isLong, faults } = body.text;
  const errors = [
    ...faults,
    ...body.infinite.map(notFinite),
    ...(source.type.draftAndPublish && !present.publishes ? [] : body.missingLists.map(notNull)),
    ...checkData(schema, version, { original, isNew: present.isNew, isLong, isIgnored }),
  ];
  addOthers(
    errors,
    body.unstorable.filter(({ path }) => !isInherited(path)),
  );
  // The version is checked once more when it is published. By then passwords are hashes.
  if (present.publishes && (errors.length > 0 || body.hasPassword))
    addOthers(errors, checkVersion(source, version, { given: data }));
  return { errors, hasInvalidReference, uncast: body.uncast[0]?.error };
};

/** @throws ValidationError if changes have faults, whatever documents they are for */
export const demandValid = (source: Source, body: ReadBody, changed: Partial<Present> = {}): void => {
  const present = { isNew: false, unchanged: {}, inherited: {}, publishes: false, ...changed };
  const { errors } = faultsOf(source, body, present);
  if (errors.length > 0) throw validationError(errors.slice(0, source.services.config.limits.bodyErrors));
};

const notFinite = (path: Path): FieldError => fieldError(path, `${pathText(path)} must be a finite number`, null);

const notNull = (path: Path): FieldError => typeFault("array", path, null);

const pathOf = ({ path }: FieldError): string => path.join(".");

/** Adds the errors of paths that have none. */
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

/** Checks the body and returns the data to write. Throws the contract's ValidationError with all faults of the body. */
export const checkBody = async (session: Session, body: ReadBody, check: BodyCheck): Promise<ParsedItem> => {
  const { source, targets, inherited } = check;
  const { services, type } = source;
  const { item, files } = body;
  targets.checkDocuments();
  const { errors, hasInvalidReference, uncast } = faultsOf(source, body, check);
  const fault = body.zoneFault ?? (hasInvalidReference ? "Invalid relations" : targets.fault());
  const shown = () => documentShown(check, type, shownData(item));
  const all = fault === undefined ? errors : [...errors, relationFault(fault, shown())];
  if (all.length > 0) throw validationError(all);
  if (uncast) throw uncast;
  await checkAllowedTypes(
    services,
    session,
    files.map((use) => mediaUse(targets, use)),
  );
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
  fileIds: [...set, ...connect].flatMap((reference) => targets.id(FILES, reference) ?? []),
  allowedTypes: types,
});

/** The document as it is shown in the error details of faulty relations. */
const documentShown = ({ source, isNew, publishedAt }: BodyCheck, type: ContentType, shown: Data): Data => ({
  ...(isNew ? withDefaults(type, writtenSchema(source), shown) : shown),
  publishedAt,
  ...(source.locale === null ? {} : { locale: source.locale }),
});
