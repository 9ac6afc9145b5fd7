/** CMS20xx: names of content types, components and attributes, and name clashes. */
import { error, warning } from "./problem.ts";

export const nameProblems = {
  attributeName: error(
    "CMS2001",
    "{attribute} cannot be the name of an attribute: use letters, digits and _, beginning with a letter, and no name of JavaScript's objects",
  ),
  unusualAttributeName: warning(
    "CMS2002",
    "the attribute name {attribute} is not plain letters, digits and _ after a letter",
  ),
  identityName: error("CMS2003", "an attribute cannot be called {attribute}: every document has a field of that name"),
  systemName: warning(
    "CMS2004",
    "{attribute} is a field that every document has: this attribute is left out, and the system's is used",
  ),
  discouragedName: warning("CMS2005", "{attribute} is a reserved name: the attribute works, but another name is safer"),
  columnTaken: error("CMS2006", "attributes {attribute} and {other} would share the column {column}"),
  sameNames: error("CMS2007", "singularName and pluralName are both {name}: they must differ"),
  nameTaken: error("CMS2008", "the {=key} {name} clashes with the {=otherKey} of {other}"),
  tableTaken: error("CMS2009", "the table {table} is already that of {other}"),
  reservedFolder: error("CMS2010", "{folder} cannot be used: the folder generated/{=folder} has a purpose of its own"),
  reservedModelName: warning(
    "CMS2011",
    "the {=key} {name} is a reserved name: the content type works, but another name is safer",
  ),
  graphqlName: warning("CMS2012", "there is a GraphQL type {name} already: this one is called {instead}"),
  uidName: error("CMS2013", "folders and files that make the uid {uid} must be called by letters, digits, _ and -"),
  builtInRoute: warning(
    "CMS2014",
    "the server has routes at /{=route} of its own, which come before those of this type",
  ),
  combinatorName: warning(
    "CMS2015",
    "GraphQL cannot filter by {attribute}: in its filters that combines conditions. Another name can be filtered by; renamedFrom keeps what is stored",
  ),
};
