/** CMS20xx: names of content types, components and attributes, and their clashes. */
import { define, type Named, quote } from "./problem.ts";

export const nameProblems = {
  attributeName: define(
    "CMS2001",
    "error",
    "An attribute name contains characters other than letters, digits, `_` and `-`, or begins with a digit, `-` or `__`.",
    ({ attribute }: Named) =>
      `${quote(attribute)} cannot be the name of an attribute: use letters, digits and _, beginning with a letter`,
  ),
  unusualAttributeName: define(
    "CMS2002",
    "warning",
    "An attribute name contains `-` or letters beyond a to z, or begins with `_`. It is kept, but GraphQL allows only names of plain letters, digits and `_`.",
    ({ attribute }: Named) =>
      `the attribute name ${quote(attribute)} is not plain letters, digits and _ after a letter`,
  ),
  identityName: define(
    "CMS2003",
    "error",
    "An attribute has the name of a system identifier: `id` or `documentId`, in any spelling.",
    ({ attribute }: Named) => `an attribute cannot be called ${quote(attribute)}: the system has one of that name`,
  ),
  systemName: define(
    "CMS2004",
    "warning",
    "An attribute has the name of a system field, such as `createdAt` or `locale`. The attribute is left out; the system field is used.",
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
    "A content type or plugin has the name of a folder that `generated/` uses for something else.",
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
    "The GraphQL type of a content type or component would have the name of another GraphQL type. It gets another name.",
    ({ name, instead }: { name: string; instead: string }) =>
      `there is a GraphQL type ${quote(name)} already: this one is called ${quote(instead)}`,
  ),
  uidName: define(
    "CMS2013",
    "error",
    "A uid contains characters other than letters, digits, `_` and `-`, because the name of a folder or file does.",
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
