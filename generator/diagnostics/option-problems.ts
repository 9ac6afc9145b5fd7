/** CMS23xx: options of attributes and of content types. */
import { define, error, type Named, quote, warning } from "./problem.ts";

export const optionProblems = {
  noAttributes: warning("CMS2301", "{uid} has no attributes"),
  customField: define(
    "CMS2302",
    "warning",
    ({ customField, type, count }: { customField: string; type: string | undefined; count: number }) =>
      `the custom field ${quote(customField)} of a plugin is kept as "${type ?? "json"}" (${count} attribute${count === 1 ? "" : "s"})` +
      (type === undefined
        ? `; where the plugin keeps a text, say so in cms.config.ts: customFields: { ${quote(customField)}: "text" }`
        : ""),
  ),
  wrongDefault: error("CMS2303", "the default of attribute {attribute} must be {=expected}"),
  nowDefault: warning("CMS2317", "the default {value} of attribute {attribute} is taken as the time of creation"),
  emptyRange: error(
    "CMS2304",
    "no value of attribute {attribute} can be valid: {=lowKey} is {=least}, and {=highKey} is {=most}",
  ),
  invalidRegex: error("CMS2305", "the regex of attribute {attribute} cannot be read: {=reason}"),
  explodingRegex: warning(
    "CMS2316",
    'the regex of attribute {attribute} takes exponential time: {part} can match the same text in very many ways; let what repeats match it in one, as "^a+$" does and "^(a+)+$" does not',
  ),
  emptyEnum: error("CMS2306", "the enumeration {attribute} has no values"),
  repeatedEnumValue: warning("CMS2307", "the enumeration {attribute} lists {value} twice"),
  enumName: warning("CMS2308", "GraphQL shows the value {value} of the enumeration {attribute} as {name}"),
  targetField: define(
    "CMS2309",
    "warning",
    ({ attribute, target, type }: Named & { target: string; type: string | undefined }) =>
      `the targetField of attribute ${quote(attribute)} is ignored: ` +
      (type === undefined ? `there is no attribute ${quote(target)}` : `${quote(target)} is of type "${type}"`),
  ),
  mediaKind: warning("CMS2310", "attribute {attribute} allows {type}, which is no kind of file: it is ignored"),
  privateAttribute: warning("CMS2311", "privateAttributes names {name}, and there is no such field"),
  builtInAttribute: warning(
    "CMS2312",
    "attribute {attribute} of {uid} stays as it is built in: the server depends on it",
  ),
  enumTypeName: error(
    "CMS2314",
    "the enumName {name} of attribute {attribute} cannot be a GraphQL type: use letters, digits and _, beginning with a letter",
  ),
  enumTypeTaken: error(
    "CMS2315",
    "there is a GraphQL type {name} already: the enumeration {attribute} needs another enumName",
  ),
  enumTypeShared: error(
    "CMS2318",
    "the enumeration {other} has other values, and is the GraphQL type {name} already: give {attribute} an enumName of its own",
  ),
  panelAttribute: define(
    "CMS2319",
    "error",
    ({ key, name, type }: { key: string; name: string; type: string | undefined }) =>
      `${key} of options.panel names ${quote(name)}, ` +
      (type === undefined ? "and there is no such attribute" : `which cannot be one: it is of type "${type}"`),
  ),
  panelGroup: error(
    "CMS2320",
    "attribute {attribute} is in the group {group}, which options.panel.groups does not list",
  ),
  builtInOption: warning("CMS2313", "{uid} has no draft & publish: the option is ignored"),
};
