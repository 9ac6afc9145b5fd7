/** CMS21xx and CMS22xx: relations, components and dynamic zones. */
import { define, error, type Named, quote, warning } from "./problem.ts";

export const relationProblems = {
  missingTarget: error("CMS2101", 'attribute {attribute} is a {=relation} relation without a "target"'),
  danglingTarget: error("CMS2102", "attribute {attribute} targets {target}, and no content type has that uid"),
  foreignTarget: warning("CMS2103", "attribute {attribute} is left out: there is no {target} here"),
  missingInverse: warning(
    "CMS2104",
    "attribute {attribute} is a one-way relation: {=key} names {named}, and {target} has no relation of that name",
  ),
  inverseMismatch: warning("CMS2105", "attribute {attribute} is a one-way relation: {named} is not {=expected}"),
  oneSided: warning(
    "CMS2106",
    "attribute {attribute} names {other}, which does not name it: both are treated as one relation",
  ),
  sameSide: warning("CMS2107", "attributes {attribute} and {other} both say {key}: {owner} stores the relation"),
  inverseTaken: define(
    "CMS2108",
    "warning",
    ({ attribute, other, shared }: Named & { other: string; shared: boolean }) =>
      `${quote(other)} is the other side of another attribute already: ${quote(attribute)} ` +
      (shared ? "shows the same documents" : "is a one-way relation"),
  ),
  morphBy: define(
    "CMS2109",
    "error",
    ({ attribute, target, morphBy }: Named & { target: string; morphBy: string | undefined }) =>
      morphBy === undefined
        ? `attribute ${quote(attribute)} needs "morphBy": the name of a morph relation of "${target}"`
        : `attribute ${quote(attribute)} names ${quote(morphBy)}, which is no morph relation of "${target}"`,
  ),
  componentInverse: warning(
    "CMS2110",
    "attribute {attribute} is a one-way relation, as all relations of components are",
  ),
  danglingComponent: error("CMS2201", "attribute {attribute} names the component {component}, which does not exist"),
  componentCircle: error("CMS2202", "this component contains itself: {=circle}"),
  emptyZone: warning("CMS2203", "the dynamic zone {attribute} lists no components: nothing can be put into it"),
  repeatedComponent: warning("CMS2204", "the dynamic zone {attribute} lists {component} twice"),
  idleOption: warning("CMS2205", "the option {option} of attribute {attribute} has no effect inside a component"),
};
