/** Validates versions of documents, including the validators of the application's extensions. */
import { HttpError } from "../../base/errors.ts";
import type { Attribute, ComponentUid, ContentType, Field } from "../../schema/content-type.ts";
import {
  type Check,
  checkData,
  type Data,
  type FieldError,
  type Path,
  valueAt,
} from "../../schema/validation/check.ts";
import { MISSING } from "../../schema/validation/links.ts";
import type { Schema } from "../../schema/validation/members.ts";
import type { Attributed } from "../attributes.ts";
import type { WriteServices } from "../context.ts";
import { componentUid } from "./parse.ts";
import { examineText } from "./storable.ts";

/** What the validation of a version depends on. */
export interface Checking {
  readonly type: ContentType;
  readonly services: Pick<WriteServices, "registry"> & {
    readonly config: { readonly documents: { readonly strictRelations: boolean } };
  };
}

/** The schema that every stored version has to satisfy: the schema of drafts, if the type has drafts. */
export const writtenSchema = ({ services: { registry }, type }: Checking): Schema =>
  type.draftAndPublish ? registry.draftValidator(type.uid) : registry.validator(type.uid);

export type Issue = Parameters<Parameters<typeof checkData>[2]["isIgnored"]>[0];

const faultText = ({ path, message }: Pick<Issue, "path" | "message"> | FieldError): string =>
  `${path.map(String).join(".")} ${message}`;

/** The built-in rule that raised an issue; undefined for other issues. */
export const ruleOf = (issue: Issue): unknown => (issue.code === "custom" ? issue.params?.["rule"] : undefined);

/** The attribute that a path in a document's data leads to; undefined within an attribute's value. */
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

/** Whether the data lacks an attribute, at the top level or in an entry. */
export const isLeftOut = (source: Checking, data: Data, path: Path): boolean =>
  valueAt(data, path) === undefined && attributeAt(source, data, path) !== undefined;

/**
 * Whether a value comes from the database and must not be shown to the sender of `sent`: a private value, or a list or
 * object, which may contain private values.
 */
export const hidesStored =
  (source: Checking, version: Data, sent: Data) =>
  (path: Path): boolean => {
    if (path.length === 0) return true;
    if (valueAt(sent, path) !== undefined) return false;
    const value = valueAt(version, path);
    const attribute = attributeAt(source, version, path);
    return (
      value !== null && (typeof value === "object" || attribute?.private === true || attribute?.type === "password")
    );
  };

/** {@link checkData}, with errors that name the extension whose rules throw or are asynchronous. */
export const checked = ({ services: { registry }, type }: Checking, schema: Schema, version: Data, check: Check) => {
  const isExtended = registry.isExtended(type.uid);
  try {
    // Generated patterns have a time limit of their own, which costs nothing where no pattern is matched.
    return checkData(schema, version, { ...check, hasLong: isExtended && check.hasLong === true });
  } catch (error) {
    if (error instanceof HttpError || !isExtended) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`"validators" in extension.ts of ${type.uid} threw, or are asynchronous: ${reason}`, {
      cause: error,
    });
  }
};

/**
 * Whether an update breaks a rule on the whole document that names an attribute which the update leaves unchanged. Only
 * application code has such rules; what `before` already violates remains allowed.
 */
export const ruleBreaks = (source: Checking, schema: Schema, before: Data, check: Omit<Check, "isIgnored">) => {
  let known: ReadonlySet<string> | undefined;
  return (issue: Issue): boolean => {
    if (issue.code !== "custom" || ruleOf(issue) !== undefined) return false;
    if (!source.services.registry.isExtended(source.type.uid)) return false;
    known ??= new Set(checked(source, schema, before, { ...check, isIgnored: () => false }).map(faultText));
    return !known.has(faultText(issue));
  };
};

/** How to validate a version. */
interface VersionCheck {
  /** The values that the request supplies: errors may show them. */
  readonly sent?: Data | undefined;
  /** A part of the version whose passwords are validated; stored passwords are hashes. */
  readonly given?: Data;
  /** Whether it stays a draft. */
  readonly isDraft?: boolean;
}

/** Returns the faults of a version; by default, of one to be published. */
export const checkVersion = (
  source: Checking,
  version: Data,
  { given = {}, sent = given, isDraft = false }: VersionCheck = {},
): readonly FieldError[] =>
  checked(source, isDraft ? writtenSchema(source) : source.services.registry.validator(source.type.uid), version, {
    isHidden: hidesStored(source, version, sent),
    original: (path) => valueAt(version, path),
    isNew: true,
    hasLong: source.services.registry.isExtended(source.type.uid) && examineText(version).hasLong,
    isIgnored: (issue) =>
      (ruleOf(issue) === MISSING && !source.services.config.documents.strictRelations) ||
      (typeof valueAt(version, issue.path) === "string" &&
        valueAt(given, issue.path) === undefined &&
        attributeAt(source, version, issue.path)?.type === "password"),
  });
