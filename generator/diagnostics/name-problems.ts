/** CMS20xx: names of content types, components and attributes, and name clashes. */
import { error, warning } from "./problem.ts";

export const nameProblems = {
  attributeName: error(
    "CMS2001",
    "An attribute name contains characters other than letters, digits, `_` and `-`, or begins with a digit, `-` or `__`, or is that of a member of every JavaScript object, such as `constructor`.",
    "{attribute} cannot be the name of an attribute: use letters, digits and _, beginning with a letter, and no name of JavaScript's objects",
  ),
  unusualAttributeName: warning(
    "CMS2002",
    "An attribute name contains `-` or letters beyond a to z, or begins with `_`. It is kept, but GraphQL allows only names of plain letters, digits and `_`.",
    "the attribute name {attribute} is not plain letters, digits and _ after a letter",
  ),
  identityName: error(
    "CMS2003",
    "An attribute has the name of a system identifier: `id` or `documentId`, in any spelling.",
    "an attribute cannot be called {attribute}: every document has a field of that name",
  ),
  systemName: warning(
    "CMS2004",
    "An attribute has the name of a system field, such as `createdAt` or `locale`. The attribute is left out; the system field is used.",
    "{attribute} is a field that every document has: this attribute is left out, and the system's is used",
  ),
  discouragedName: warning(
    "CMS2005",
    "An attribute has a reserved name. It is kept.",
    "{attribute} is a reserved name: the attribute works, but another name is safer",
  ),
  columnTaken: error(
    "CMS2006",
    "Two attributes have the same name in snake case.",
    "attributes {attribute} and {other} would share the column {column}",
  ),
  sameNames: error(
    "CMS2007",
    "The singularName and the pluralName are the same.",
    "singularName and pluralName are both {name}: they must differ",
  ),
  nameTaken: error(
    "CMS2008",
    "Two content types share a singular or plural name, or names that become the same identifier.",
    "the {=key} {name} clashes with the {=otherKey} of {other}",
  ),
  tableTaken: error(
    "CMS2009",
    "Two content types have the same collectionName.",
    "the table {table} is already that of {other}",
  ),
  reservedFolder: error(
    "CMS2010",
    "A content type or plugin has the name of a folder that `generated/` uses for something else.",
    "{folder} cannot be used: the folder generated/{=folder} has a purpose of its own",
  ),
  reservedModelName: warning(
    "CMS2011",
    "A content type has a reserved name. It is kept.",
    "the {=key} {name} is a reserved name: the content type works, but another name is safer",
  ),
  graphqlName: warning(
    "CMS2012",
    "The GraphQL type of a content type or component would have the name of another GraphQL type. It gets another name.",
    "there is a GraphQL type {name} already: this one is called {instead}",
  ),
  uidName: error(
    "CMS2013",
    "A uid contains characters other than letters, digits, `_` and `-`, because the name of a folder or file does.",
    "folders and files that make the uid {uid} must be called by letters, digits, _ and -",
  ),
  builtInRoute: warning(
    "CMS2014",
    "The REST path of a content type is one that the server uses itself. The server's own routes come first.",
    "the server has routes at /{=route} of its own, which come before those of this type",
  ),
  combinatorName: warning(
    "CMS2015",
    "An attribute is called `and`, `or` or `not`, as what combines the conditions of a filter in GraphQL. GraphQL reads and writes it, but cannot filter by it; REST can.",
    "GraphQL cannot filter by {attribute}: in its filters that combines conditions. Another name can be filtered by; renamedFrom keeps what is stored",
  ),
};
