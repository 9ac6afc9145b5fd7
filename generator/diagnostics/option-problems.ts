/** CMS23xx: options of attributes and of content types. */
import { define, type Named, quote } from "./problem.ts";

export const optionProblems = {
  noAttributes: define(
    "CMS2301",
    "warning",
    "A content type or component has no attributes.",
    ({ uid }: { uid: string }) => `"${uid}" has no attributes`,
  ),
  customField: define(
    "CMS2302",
    "warning",
    "A custom field of a plugin. It is reported once, however many attributes use it. If its base type is known, it is kept as that type, otherwise as `json`; `customFields` of the configuration can change this.",
    ({ customField, type, count }: { customField: string; type: string | undefined; count: number }) =>
      `the custom field ${quote(customField)} of a plugin is kept as "${type ?? "json"}" (${count} attribute${count === 1 ? "" : "s"})` +
      (type === undefined
        ? `; where the plugin keeps a text, say so in cms.config.ts: customFields: { ${quote(customField)}: "text" }`
        : ""),
  ),
  wrongDefault: define(
    "CMS2303",
    "error",
    "A default does not fit the type of its attribute.",
    ({ attribute, expected }: Named & { expected: string }) =>
      `the default of attribute ${quote(attribute)} must be ${expected}`,
  ),
  nowDefault: define(
    "CMS2317",
    "warning",
    'The default of an instant is `"now"` or `"now()"`. It is taken as the time at which a document, or an entry of a component, is created.',
    ({ attribute, value }: Named & { value: string }) =>
      `the default ${quote(value)} of attribute ${quote(attribute)} is taken as the time of creation`,
  ),
  emptyRange: define(
    "CMS2304",
    "error",
    "A minimum is greater than the maximum.",
    ({ attribute, lowKey, highKey, least, most }: Named & Record<"lowKey" | "highKey" | "least" | "most", string>) =>
      `no value of attribute ${quote(attribute)} can be valid: ${lowKey} is ${least}, and ${highKey} is ${most}`,
  ),
  invalidRegex: define(
    "CMS2305",
    "error",
    "A regular expression is not valid.",
    ({ attribute, reason }: Named & { reason: string }) =>
      `the regex of attribute ${quote(attribute)} cannot be read: ${reason}`,
  ),
  explodingRegex: define(
    "CMS2316",
    "warning",
    "A regular expression takes exponential time on some texts. The server stops matching a body after 250 milliseconds and answers 400, also where the text would match. Change it so that each repeated part can match a text in one way only.",
    ({ attribute, part }: Named & { part: string }) =>
      `the regex of attribute ${quote(attribute)} takes exponential time: ${quote(part)} can match the same text in very many ways; let what repeats match it in one, as ${quote("^a+$")} does and ${quote("^(a+)+$")} does not`,
  ),
  emptyEnum: define(
    "CMS2306",
    "error",
    "An enumeration has no values.",
    ({ attribute }: Named) => `the enumeration ${quote(attribute)} has no values`,
  ),
  repeatedEnumValue: define(
    "CMS2307",
    "warning",
    "An enumeration lists a value twice.",
    ({ attribute, value }: Named & { value: string }) =>
      `the enumeration ${quote(attribute)} lists ${quote(value)} twice`,
  ),
  enumName: define(
    "CMS2308",
    "warning",
    "An enumeration value is not a valid GraphQL name even when written with `_`, or becomes the same name as another value. GraphQL shows it under a valid name of its own; REST and the database keep the value.",
    ({ attribute, value, name }: Named & { value: string; name: string }) =>
      `GraphQL shows the value ${quote(value)} of the enumeration ${quote(attribute)} as ${quote(name)}`,
  ),
  targetField: define(
    "CMS2309",
    "warning",
    "A uid names a `targetField` that does not exist or is neither `string` nor `text`. The name is ignored.",
    ({ attribute, target, type }: Named & { target: string; type: string | undefined }) =>
      `the targetField of attribute ${quote(attribute)} is ignored: ` +
      (type === undefined ? `there is no attribute ${quote(target)}` : `${quote(target)} is of type "${type}"`),
  ),
  mediaKind: define(
    "CMS2310",
    "warning",
    "`allowedTypes` names a kind of file that does not exist. It is ignored.",
    ({ attribute, type }: Named & { type: string }) =>
      `attribute ${quote(attribute)} allows ${quote(type)}, which is no kind of file: it is ignored`,
  ),
  privateAttribute: define(
    "CMS2311",
    "warning",
    "`options.privateAttributes` names a field that the content type does not have.",
    ({ name }: { name: string }) => `privateAttributes names ${quote(name)}, and there is no such field`,
  ),
  builtInAttribute: define(
    "CMS2312",
    "warning",
    "A schema file of a built-in content type gives a built-in attribute another type. The built-in one is used.",
    ({ attribute, uid }: Named & { uid: string }) =>
      `attribute ${quote(attribute)} of "${uid}" stays as it is built in: the server depends on it`,
  ),
  enumTypeName: define(
    "CMS2314",
    "error",
    "The `enumName` of an enumeration is not a valid GraphQL name, or begins with `__`.",
    ({ attribute, name }: Named & { name: string }) =>
      `the enumName ${quote(name)} of attribute ${quote(attribute)} cannot be a GraphQL type: use letters, digits and _, beginning with a letter`,
  ),
  enumTypeTaken: define(
    "CMS2315",
    "error",
    "The `enumName` of an enumeration is the name of another GraphQL type.",
    ({ attribute, name }: Named & { name: string }) =>
      `there is a GraphQL type ${quote(name)} already: the enumeration ${quote(attribute)} needs another enumName`,
  ),
  enumTypeShared: define(
    "CMS2318",
    "error",
    "Two enumerations with different values have the same GraphQL type name. Enumerations with the same values may share a type.",
    ({ attribute, name, other }: Named & { name: string; other: string }) =>
      `the enumeration ${quote(other)} has other values, and is the GraphQL type ${quote(name)} already: give ${quote(attribute)} an enumName of its own`,
  ),
  builtInOption: define(
    "CMS2313",
    "warning",
    "A schema file of a built-in content type turns draft & publish on. It stays off.",
    ({ uid }: { uid: string }) => `"${uid}" has no draft & publish: the option is ignored`,
  ),
};
