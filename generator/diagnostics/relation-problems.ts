/** CMS21xx: relations. */
import { define, type Named, quote } from "./problem.ts";

export const relationProblems = {
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
    "A relation targets a type of Strapi's admin panel or of a plugin that Galley does not have. The attribute is left out.",
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
    "One side of a relation names the other, but the other does not name it. They are treated as two sides of one relation.",
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
