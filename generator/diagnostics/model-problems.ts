/** CMS2xxx: what the schema files say about each other and about themselves. */
import { define, quote } from "./problem.ts";

export interface Named {
  readonly attribute: string;
}

/** Names and clashes. */
const names = {
  attributeName: define(
    "CMS2001",
    "error",
    "An attribute name is made of other characters than letters, digits and `_`, or begins with a digit or `__`.",
    ({ attribute }: Named) =>
      `${quote(attribute)} cannot be the name of an attribute: use letters, digits and _, beginning with a letter`,
  ),
  unusualAttributeName: define(
    "CMS2002",
    "warning",
    "An attribute name contains `-` or begins with `_`. It is kept; a name with `-` is not available in GraphQL.",
    ({ attribute }: Named) => `the attribute name ${quote(attribute)} is not letters, digits and _ after a letter`,
  ),
  identityName: define(
    "CMS2003",
    "error",
    "An attribute is called as an identifier of the system: `id` or `documentId`, in any spelling.",
    ({ attribute }: Named) => `an attribute cannot be called ${quote(attribute)}: the system has one of that name`,
  ),
  systemName: define(
    "CMS2004",
    "warning",
    "An attribute is called as a field that every document has, such as `createdAt` or `locale`. It is left out; the system's own field is there.",
    ({ attribute }: Named) =>
      `${quote(attribute)} is a field that every document has: this attribute is left out, and the system's is used`,
  ),
  discouragedName: define(
    "CMS2005",
    "warning",
    "An attribute has a reserved name. It is kept.",
    ({ attribute }: Named) => `${quote(attribute)} is a reserved name: the attribute works, and had better be renamed`,
  ),
  columnTaken: define(
    "CMS2006",
    "error",
    "Two attributes have the same name in snake case.",
    ({ attribute, other, column }: Named & { other: string; column: string }) =>
      `attributes ${quote(attribute)} and ${quote(other)} would share the column ${quote(column)}`,
  ),
  sameNames: define(
    "CMS2007",
    "error",
    "The singularName and the pluralName are the same.",
    ({ name }: { name: string }) => `singularName and pluralName are both ${quote(name)}: they must differ`,
  ),
  nameTaken: define(
    "CMS2008",
    "error",
    "Two content types share a singular or plural name, or names that become the same identifier.",
    ({ key, name, other, otherKey }: { key: string; name: string; other: string; otherKey: string }) =>
      `the ${key} ${quote(name)} clashes with the ${otherKey} of "${other}"`,
  ),
  tableTaken: define(
    "CMS2009",
    "error",
    "Two content types have the same collectionName.",
    ({ table, other }: { table: string; other: string }) => `the table ${quote(table)} is already that of "${other}"`,
  ),
  reservedFolder: define(
    "CMS2010",
    "error",
    "A content type or plugin is called as a folder of `generated/` that has a purpose of its own.",
    ({ folder }: { folder: string }) =>
      `${quote(folder)} cannot be used: the folder generated/${folder} has a purpose of its own`,
  ),
  reservedModelName: define(
    "CMS2011",
    "warning",
    "A content type has a reserved name. It is kept.",
    ({ key, name }: { key: string; name: string }) =>
      `the ${key} ${quote(name)} is a reserved name: the content type works, and had better be renamed`,
  ),
  graphqlName: define(
    "CMS2012",
    "warning",
    "The GraphQL type of a content type or component would be called as another GraphQL type. It gets another name.",
    ({ name, instead }: { name: string; instead: string }) =>
      `there is a GraphQL type ${quote(name)} already: this one is called ${quote(instead)}`,
  ),
  uidName: define(
    "CMS2013",
    "error",
    "A uid contains other characters than letters, digits, `_` and `-`, because a folder or file is called so.",
    ({ uid }: { uid: string }) =>
      `folders and files that make the uid ${quote(uid)} must be called by letters, digits, _ and -`,
  ),
  builtInRoute: define(
    "CMS2014",
    "warning",
    "The REST path of a content type is one that the server uses itself. The server's own routes come first.",
    ({ route }: { route: string }) =>
      `the server has routes at /${route} of its own, which come before those of this type`,
  ),
};

/** Relations. */
const relations = {
  missingTarget: define(
    "CMS2101",
    "error",
    "A relation has no target.",
    ({ attribute, relation }: Named & { relation: string }) =>
      `attribute ${quote(attribute)} is a ${relation} relation without a "target"`,
  ),
  danglingTarget: define(
    "CMS2102",
    "error",
    "A relation targets a content type that does not exist.",
    ({ attribute, target }: Named & { target: string }) =>
      `attribute ${quote(attribute)} targets ${quote(target)}, and no content type has that uid`,
  ),
  foreignTarget: define(
    "CMS2103",
    "warning",
    "A relation targets a type of an admin panel or of a plugin that is not here. The attribute is left out.",
    ({ attribute, target }: Named & { target: string }) =>
      `attribute ${quote(attribute)} is left out: there is no ${quote(target)} here`,
  ),
  missingInverse: define(
    "CMS2104",
    "warning",
    "`mappedBy` or `inversedBy` names an attribute that the target does not have. The relation is one-way.",
    ({ attribute, key, named, target }: Named & { key: string; named: string; target: string }) =>
      `attribute ${quote(attribute)} is a one-way relation: ${key} names ${quote(named)}, ` +
      `and "${target}" has no relation of that name`,
  ),
  inverseMismatch: define(
    "CMS2105",
    "warning",
    "`mappedBy` or `inversedBy` names a relation of another kind, or to another content type. The relation is one-way.",
    ({ attribute, named, expected }: Named & { named: string; expected: string }) =>
      `attribute ${quote(attribute)} is a one-way relation: ${quote(named)} is not ${expected}`,
  ),
  oneSided: define(
    "CMS2106",
    "warning",
    "One side of a relation names the other, which does not name it. They are treated as two sides of one relation.",
    ({ attribute, other }: Named & { other: string }) =>
      `attribute ${quote(attribute)} names ${quote(other)}, which does not name it: both are treated as one relation`,
  ),
  sameSide: define(
    "CMS2107",
    "warning",
    "Both sides of a relation say `inversedBy`, or both `mappedBy`. One of them stores it: the manyToOne side, or else the first by uid and name.",
    ({ attribute, other, owner, key }: Named & { other: string; owner: string; key: string }) =>
      `attributes ${quote(attribute)} and ${quote(other)} both say "${key}": "${owner}" stores the relation`,
  ),
  inverseTaken: define(
    "CMS2108",
    "warning",
    "Two relations name the same attribute as their other side. A second `mappedBy` shows the same documents; a second `inversedBy` is one-way.",
    ({ attribute, other, shared }: Named & { other: string; shared: boolean }) =>
      `${quote(other)} is the other side of another attribute already: ${quote(attribute)} ` +
      (shared ? "shows the same documents" : "is a one-way relation"),
  ),
  morphBy: define(
    "CMS2109",
    "error",
    "A morphOne or morphMany relation does not name a morphToOne or morphToMany attribute of its target.",
    ({ attribute, target, morphBy }: Named & { target: string; morphBy: string | undefined }) =>
      morphBy === undefined
        ? `attribute ${quote(attribute)} needs "morphBy": the name of a morph relation of "${target}"`
        : `attribute ${quote(attribute)} names ${quote(morphBy)}, which is no morph relation of "${target}"`,
  ),
  componentInverse: define(
    "CMS2110",
    "warning",
    "A relation inside a component names another side. It is one-way.",
    ({ attribute }: Named) => `attribute ${quote(attribute)} is a one-way relation, as all relations of components are`,
  ),
};

/** Components and dynamic zones. */
const components = {
  danglingComponent: define(
    "CMS2201",
    "error",
    "An attribute names a component that does not exist.",
    ({ attribute, component }: Named & { component: string }) =>
      `attribute ${quote(attribute)} names the component ${quote(component)}, which does not exist`,
  ),
  componentCycle: define(
    "CMS2202",
    "error",
    "A component contains itself.",
    ({ circle }: { circle: readonly string[] }) => `this component contains itself: ${circle.join(" > ")}`,
  ),
  emptyZone: define(
    "CMS2203",
    "warning",
    "A dynamic zone lists no components. It is always empty.",
    ({ attribute }: Named) => `the dynamic zone ${quote(attribute)} lists no components: nothing can be put into it`,
  ),
  repeatedComponent: define(
    "CMS2204",
    "warning",
    "A dynamic zone lists a component twice.",
    ({ attribute, component }: Named & { component: string }) =>
      `the dynamic zone ${quote(attribute)} lists ${quote(component)} twice`,
  ),
};

/** Options of attributes. */
const options = {
  noAttributes: define(
    "CMS2301",
    "warning",
    "A content type or component has no attributes.",
    ({ uid }: { uid: string }) => `"${uid}" has no attributes`,
  ),
  customField: define(
    "CMS2302",
    "warning",
    "A custom field of a plugin, reported once however many attributes use it. It is kept as the plugin's base type where that is known, and as `json` otherwise.",
    ({ customField, type, count }: { customField: string; type: string; count: number }) =>
      `the custom field ${quote(customField)} of a plugin is kept as "${type}" (${count} attribute${count === 1 ? "" : "s"})`,
  ),
  wrongDefault: define(
    "CMS2303",
    "error",
    "A default does not fit the type of its attribute.",
    ({ attribute, expected }: Named & { expected: string }) =>
      `the default of attribute ${quote(attribute)} must be ${expected}`,
  ),
  emptyRange: define(
    "CMS2304",
    "error",
    "A lower bound is above the upper one.",
    ({ attribute, lowKey, highKey, least, most }: Named & Record<"lowKey" | "highKey" | "least" | "most", string>) =>
      `no value of attribute ${quote(attribute)} can be valid: ${lowKey} is ${least}, and ${highKey} is ${most}`,
  ),
  invalidRegex: define(
    "CMS2305",
    "error",
    "A regular expression cannot be read.",
    ({ attribute, reason }: Named & { reason: string }) =>
      `the regex of attribute ${quote(attribute)} cannot be read: ${reason}`,
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
    "An enumeration value is no GraphQL name even when written with `_`, or becomes the same name as another value. GraphQL shows it under a name that is; REST and the database keep the value.",
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
  builtInOption: define(
    "CMS2313",
    "warning",
    "A schema file of a built-in content type turns draft & publish on. It stays off.",
    ({ uid }: { uid: string }) => `"${uid}" has no draft & publish: the option is ignored`,
  ),
};

export const modelProblems = { ...names, ...relations, ...components, ...options };
