/** Parts common to all attribute types. */
import type { Attribute, Component, ContentType } from "../model/model.ts";
import { isGraphqlName } from "../model/names.ts";
import { memberAccess, propertyKey, stringLiteral, valueLiteral } from "./literal.ts";

/** Looks up declarations of the model. */
export interface ModelIndex {
  /** Throws for an unknown uid, which is a bug in the model. */
  contentType(uid: string): ContentType;
  component(uid: string): Component;
  /** Whether several attributes share an enumeration of this GraphQL name. */
  isSharedEnum(name: string): boolean;
}

/** Whether published versions always have a value: an attribute with a condition is not always required. */
export const isPresent = ({ required, condition }: Attribute): boolean => required && condition === undefined;

interface Specifics {
  readonly absent: "nullish" | "optional";
  readonly default?: string;
  /** Never in an answer, whatever the schema file says. */
  readonly secret?: boolean;
  /** Whether answers always have a required value: the target of a relation may be unpublished. */
  readonly promises?: boolean;
}

/** What the views of all kinds of attributes have: source text, "" if there is none, and flags. */
export const commonView = (
  attribute: Attribute,
  { absent, default: standard = "", secret = false, promises = true }: Specifics,
) => {
  const { name, required, writable, condition } = attribute;
  const writeOnly = attribute.private || secret;
  const present = promises && isPresent(attribute);
  return {
    /** The attribute as the name of a property: `title`. */
    key: propertyKey(name),
    /** The property access: `.title`. */
    member: memberAccess(name),
    /** The name as a string: `"title"`. */
    name: stringLiteral(name),
    private: attribute.private,
    localized: attribute.localized,
    readOnly: !writable,
    searchable: attribute.searchable,
    required,
    /** JSON logic; "" if validation is never skipped. */
    condition: condition === undefined ? "" : valueLiteral(condition),
    /** How the Zod schema marks the value as optional. */
    absent,
    /** The value if a body omits it. */
    default: standard,
    /** Whether answers always show a value. */
    present,
    /** In no answer and no filter: only request bodies may contain it. */
    writeOnly,
    /** Whether GraphQL has a field for it. */
    inGraphql: isGraphqlName(name) && !name.startsWith("__") && (!writeOnly || writable),
    /** Whether its GraphQL field has more than a type. */
    fieldOptions: (present && !writeOnly) || writeOnly || !writable,
  };
};

/** A limit as source text; "" if there is none. */
export const limit = (value: number | undefined): string => (value === undefined ? "" : String(value));

/** The options of a helper that are set; "" for none. */
export const options = (members: Readonly<Record<string, unknown>>): string => {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return set.length === 0 ? "" : valueLiteral(Object.fromEntries(set));
};
