/** Pairs the two sides of relations, and determines which side stores them. */
import { nearest } from "../../runtime/base/did-you-mean.ts";
import { leadsToMany } from "../../runtime/schema/field.ts";
import { problems } from "../diagnostics/codes.ts";
import type { Related, Report } from "../diagnostics/diagnostic.ts";
import { compare, keyIn, type Prepared, type PreparedType, type RelationSchema, valueIn } from "./prepared.ts";

/** How a relation is stored: by itself, or by the attribute `by` of its target. */
export type Side =
  | { readonly role: "owner"; readonly inverse: string | undefined; readonly inverseMany: boolean }
  | { readonly role: "inverse"; readonly by: string };

/** The sides of the relations of content types, by {@link sideKey}. */
export type Sides = ReadonlyMap<string, Side>;

export const sideKey = (uid: string, attribute: string): string => `${uid}#${attribute}`;

interface End {
  readonly type: PreparedType;
  readonly name: string;
  readonly schema: RelationSchema;
  readonly key: string;
}

const isMorph = (relation: RelationSchema["relation"]): boolean => relation.startsWith("morph");

/** The allowed kinds for the other side of a two-way relation; the first is the preferred one. */
const OPPOSITES = new Map<string, readonly string[]>([
  ["oneToOne", ["oneToOne"]],
  // Each document of the list points back to one, whatever the kind is called.
  ["oneToMany", ["manyToOne", "oneToOne"]],
  ["manyToOne", ["oneToMany"]],
  ["manyToMany", ["manyToMany"]],
]);

const endsOf = (types: readonly PreparedType[]): End[] =>
  types.flatMap((type) =>
    [...type.attributes].flatMap(([name, schema]) =>
      schema.type === "relation" ? [{ type, name, schema, key: sideKey(type.uid, name) }] : [],
    ),
  );

const inverseKey = ({ schema }: End): "mappedBy" | "inversedBy" | undefined =>
  schema.mappedBy === undefined ? (schema.inversedBy === undefined ? undefined : "inversedBy") : "mappedBy";

const placeOf = (end: End) => valueIn(end.type, "attributes", end.name, inverseKey(end) ?? "relation");

const related = (end: End): Related[] =>
  end.type.file === undefined
    ? []
    : [{ place: keyIn(end.type, "attributes", end.name), message: `the attribute "${end.name}"` }];

class Pairing {
  readonly #ends: ReadonlyMap<string, End>;
  readonly #types: ReadonlyMap<string, PreparedType>;
  readonly #report: Report;
  readonly #sides = new Map<string, Side>();

  constructor(types: readonly PreparedType[], report: Report) {
    this.#ends = new Map(endsOf(types).map((end) => [end.key, end]));
    this.#types = new Map(types.map((type) => [type.uid, type]));
    this.#report = report;
  }

  pair(): Sides {
    const partners = new Map<End, End>();
    for (const end of this.#ends.values()) {
      if (isMorph(end.schema.relation)) this.#morph(end);
      else {
        const partner = this.#partner(end);
        if (partner) partners.set(end, partner);
      }
    }
    // Two attributes that name each other belong together, whatever else names one of them.
    for (const [end, partner] of partners) if (partners.get(partner) === end) this.#join(end, partner, true);
    for (const [end, partner] of partners) this.#join(end, partner, false);
    for (const end of this.#ends.values())
      if (!this.#sides.has(end.key))
        this.#sides.set(end.key, { role: "owner", inverse: undefined, inverseMany: false });
    return this.#sides;
  }

  /** A morphOne or morphMany is stored by the morph attribute that it names. */
  #morph(end: End): void {
    const { relation, target = "", morphBy } = end.schema;
    if (relation === "morphToOne" || relation === "morphToMany") return;
    const morphs = [...(this.#types.get(target)?.attributes ?? [])].flatMap(([name, schema]) =>
      schema.type === "relation" && schema.relation.startsWith("morphTo") ? [name] : [],
    );
    if (morphBy !== undefined && morphs.includes(morphBy)) {
      this.#sides.set(end.key, { role: "inverse", by: morphBy });
      return;
    }
    const place = valueIn(end.type, "attributes", end.name, ...(morphBy === undefined ? [] : ["morphBy"]));
    const suggestion = morphBy === undefined ? morphs[0] : nearest(morphBy, morphs);
    this.#report(problems.morphBy, place, { attribute: end.name, target, morphBy }, { suggestion });
  }

  /**
   * The other side that `mappedBy` or `inversedBy` names; undefined, with a warning, if there is none of a suitable
   * kind.
   */
  #partner(end: End): End | undefined {
    const key = inverseKey(end);
    const { target = "", relation } = end.schema;
    const named = key && end.schema[key];
    if (key === undefined || named === undefined) return undefined;
    const partner = this.#ends.get(sideKey(target, named));
    const parameters = { attribute: end.name, key, named, target };
    if (!partner) {
      const names = [...(this.#types.get(target)?.attributes ?? [])]
        .filter(([, schema]) => schema.type === "relation" && schema.target === end.type.uid)
        .map(([name]) => name);
      const suggestion = nearest(named, names);
      this.#report(problems.missingInverse, placeOf(end), parameters, { suggestion });
      return undefined;
    }
    const opposites = OPPOSITES.get(relation) ?? [];
    const fits =
      partner !== end && partner.schema.target === end.type.uid && opposites.includes(partner.schema.relation);
    if (fits) return partner;
    const expected = `a ${opposites[0]} relation to "${end.type.uid}"`;
    this.#report(problems.inverseMismatch, placeOf(end), { ...parameters, expected }, { related: related(partner) });
    return undefined;
  }

  #join(end: End, partner: End, mutual: boolean): void {
    if (this.#sides.has(end.key)) return;
    const taken = this.#sides.get(partner.key);
    const other = { related: related(partner) };
    if (taken) {
      const shared = inverseKey(end) === "mappedBy" && taken.role === "owner";
      this.#report(problems.inverseTaken, placeOf(end), { attribute: end.name, other: partner.name, shared }, other);
      if (shared) this.#sides.set(end.key, { role: "inverse", by: partner.name });
      return;
    }
    const owner = ownerOf(end, partner);
    const inverse = owner === end ? partner : end;
    this.#sides.set(owner.key, {
      role: "owner",
      inverse: inverse.name,
      inverseMany: leadsToMany(inverse.schema.relation),
    });
    this.#sides.set(inverse.key, { role: "inverse", by: owner.name });
    const parameters = { attribute: end.name, other: partner.name, owner: `${owner.type.uid}.${owner.name}` };
    const key = inverseKey(end) ?? "";
    if (!mutual) this.#report(problems.oneSided, placeOf(end), parameters, other);
    else if (key === inverseKey(partner)) this.#report(problems.sameSide, placeOf(end), { ...parameters, key }, other);
  }
}

/** The single-valued side of a list; else the side with `inversedBy`; else the first by uid and name. */
const ownerOf = (a: End, b: End): End => {
  const [manyA, manyB] = [leadsToMany(a.schema.relation), leadsToMany(b.schema.relation)];
  if (manyA !== manyB) return manyA ? b : a;
  const [keyA, keyB] = [inverseKey(a), inverseKey(b)];
  if (keyA !== keyB) {
    if (keyA === "inversedBy" || keyB === "mappedBy") return a;
    if (keyB === "inversedBy" || keyA === "mappedBy") return b;
  }
  return compare(a.key, b.key) <= 0 ? a : b;
};

/** Inside a component a relation has only one side, whatever its schema says. */
const checkComponents = ({ components }: Prepared, report: Report): void => {
  for (const component of components)
    for (const [name, schema] of component.attributes) {
      if (schema.type !== "relation") continue;
      const key = schema.mappedBy === undefined ? "inversedBy" : "mappedBy";
      if (schema[key] === undefined && schema.morphBy === undefined) continue;
      const place = valueIn(component, "attributes", name, schema[key] === undefined ? "morphBy" : key);
      report(problems.componentInverse, place, { attribute: name });
    }
};

/** Pairs the relations of content types, and reports contradictions between their files. */
export const pairRelations = (prepared: Prepared, report: Report): Sides => {
  checkComponents(prepared, report);
  return new Pairing(prepared.contentTypes, report).pair();
};
