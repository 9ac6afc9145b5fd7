/** CMS23xx: options of attributes and of content types. */
import { define, error, type Named, quote, warning } from "./problem.ts";

export const optionProblems = {
  noAttributes: warning("CMS2301", "A content type or component has no attributes.", "{uid} has no attributes"),
  customField: define(
    "CMS2302",
    "warning",
    "A custom field of a plugin, reported once. If its base type is known, it is kept as that type, otherwise as `json`; `customFields` of the configuration can change this.",
    ({ customField, type, count }: { customField: string; type: string | undefined; count: number }) =>
      `the custom field ${quote(customField)} of a plugin is kept as "${type ?? "json"}" (${count} attribute${count === 1 ? "" : "s"})` +
      (type === undefined
        ? `; where the plugin keeps a text, say so in cms.config.ts: customFields: { ${quote(customField)}: "text" }`
        : ""),
  ),
  wrongDefault: error(
    "CMS2303",
    "A default does not fit the type of its attribute.",
    "the default of attribute {attribute} must be {=expected}",
  ),
  nowDefault: warning(
    "CMS2317",
    'The default of an instant is `"now"` or `"now()"`. It is taken as the time at which a document, or an entry of a component, is created.',
    "the default {value} of attribute {attribute} is taken as the time of creation",
  ),
  emptyRange: error(
    "CMS2304",
    "A minimum is greater than the maximum.",
    "no value of attribute {attribute} can be valid: {=lowKey} is {=least}, and {=highKey} is {=most}",
  ),
  invalidRegex: error(
    "CMS2305",
    "A regular expression is not valid.",
    "the regex of attribute {attribute} cannot be read: {=reason}",
  ),
  explodingRegex: warning(
    "CMS2316",
    "A regular expression takes exponential time on some texts. The server stops matching after 250 ms and answers 400. Let each repeated part match a text in one way only.",
    'the regex of attribute {attribute} takes exponential time: {part} can match the same text in very many ways; let what repeats match it in one, as "^a+$" does and "^(a+)+$" does not',
  ),
  emptyEnum: error("CMS2306", "An enumeration has no values.", "the enumeration {attribute} has no values"),
  repeatedEnumValue: warning(
    "CMS2307",
    "An enumeration lists a value twice.",
    "the enumeration {attribute} lists {value} twice",
  ),
  enumName: warning(
    "CMS2308",
    "An enumeration value is no valid GraphQL name even with `_`, or becomes the same name as another. GraphQL shows it under another name; REST and the database keep the value.",
    "GraphQL shows the value {value} of the enumeration {attribute} as {name}",
  ),
  targetField: define(
    "CMS2309",
    "warning",
    "A uid names a `targetField` that does not exist or is neither `string` nor `text`. The name is ignored.",
    ({ attribute, target, type }: Named & { target: string; type: string | undefined }) =>
      `the targetField of attribute ${quote(attribute)} is ignored: ` +
      (type === undefined ? `there is no attribute ${quote(target)}` : `${quote(target)} is of type "${type}"`),
  ),
  mediaKind: warning(
    "CMS2310",
    "`allowedTypes` names a kind of file that does not exist. It is ignored.",
    "attribute {attribute} allows {type}, which is no kind of file: it is ignored",
  ),
  privateAttribute: warning(
    "CMS2311",
    "`options.privateAttributes` names a field that the content type does not have.",
    "privateAttributes names {name}, and there is no such field",
  ),
  builtInAttribute: warning(
    "CMS2312",
    "A schema file of a built-in content type gives a built-in attribute another type. The built-in one is used.",
    "attribute {attribute} of {uid} stays as it is built in: the server depends on it",
  ),
  enumTypeName: error(
    "CMS2314",
    "The `enumName` of an enumeration is not a valid GraphQL name, or begins with `__`.",
    "the enumName {name} of attribute {attribute} cannot be a GraphQL type: use letters, digits and _, beginning with a letter",
  ),
  enumTypeTaken: error(
    "CMS2315",
    "The `enumName` of an enumeration is the name of another GraphQL type.",
    "there is a GraphQL type {name} already: the enumeration {attribute} needs another enumName",
  ),
  enumTypeShared: error(
    "CMS2318",
    "Two enumerations with different values have the same GraphQL type name. Enumerations with the same values may share a type.",
    "the enumeration {other} has other values, and is the GraphQL type {name} already: give {attribute} an enumName of its own",
  ),
  panelAttribute: define(
    "CMS2319",
    "error",
    "`options.panel` names an attribute that does not exist, or whose type no `title` or column of a list can have.",
    ({ key, name, type }: { key: string; name: string; type: string | undefined }) =>
      `${key} of options.panel names ${quote(name)}, ` +
      (type === undefined ? "and there is no such attribute" : `which cannot be one: it is of type "${type}"`),
  ),
  panelGroup: error(
    "CMS2320",
    "An attribute is in a group that `options.panel.groups` does not list.",
    "attribute {attribute} is in the group {group}, which options.panel.groups does not list",
  ),
  builtInOption: warning(
    "CMS2313",
    "A schema file of a built-in content type turns draft & publish on. It stays off.",
    "{uid} has no draft & publish: the option is ignored",
  ),
};
