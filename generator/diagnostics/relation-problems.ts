/** CMS21xx and CMS22xx: relations, components and dynamic zones. */
import { define, error, type Named, quote, warning } from "./problem.ts";

export const relationProblems = {
  missingTarget: error(
    "CMS2101",
    "A relation has no target.",
    'attribute {attribute} is a {=relation} relation without a "target"',
  ),
  danglingTarget: error(
    "CMS2102",
    "A relation targets a content type that does not exist.",
    "attribute {attribute} targets {target}, and no content type has that uid",
  ),
  foreignTarget: warning(
    "CMS2103",
    "A relation targets a type of Strapi's admin panel or of a plugin that Galley does not have. The attribute is left out.",
    "attribute {attribute} is left out: there is no {target} here",
  ),
  missingInverse: warning(
    "CMS2104",
    "`mappedBy` or `inversedBy` names an attribute that the target does not have. The relation is one-way.",
    "attribute {attribute} is a one-way relation: {=key} names {named}, and {target} has no relation of that name",
  ),
  inverseMismatch: warning(
    "CMS2105",
    "`mappedBy` or `inversedBy` names a relation of another kind, or to another content type. The relation is one-way.",
    "attribute {attribute} is a one-way relation: {named} is not {=expected}",
  ),
  oneSided: warning(
    "CMS2106",
    "One side of a relation names the other, but the other does not name it. They are treated as two sides of one relation.",
    "attribute {attribute} names {other}, which does not name it: both are treated as one relation",
  ),
  sameSide: warning(
    "CMS2107",
    "Both sides of a relation say `inversedBy`, or both `mappedBy`. One of them stores it: the manyToOne side, or else the first by uid and name.",
    "attributes {attribute} and {other} both say {key}: {owner} stores the relation",
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
  componentInverse: warning(
    "CMS2110",
    "A relation inside a component names another side. It is one-way.",
    "attribute {attribute} is a one-way relation, as all relations of components are",
  ),
  danglingComponent: error(
    "CMS2201",
    "An attribute names a component that does not exist.",
    "attribute {attribute} names the component {component}, which does not exist",
  ),
  componentCircle: error("CMS2202", "A component contains itself.", "this component contains itself: {=circle}"),
  emptyZone: warning(
    "CMS2203",
    "A dynamic zone lists no components. It is always empty.",
    "the dynamic zone {attribute} lists no components: nothing can be put into it",
  ),
  repeatedComponent: warning(
    "CMS2204",
    "A dynamic zone lists a component twice.",
    "the dynamic zone {attribute} lists {component} twice",
  ),
};
