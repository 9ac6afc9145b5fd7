/** Names and values that the schema declares as swapped: recorded in a snapshot, so that they swap only once. */
import type { Attribute, Model } from "../../model/model.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Claim, ringsOf } from "./claims.ts";

interface Declared {
  readonly uid: string;
  readonly renamedFrom: string | undefined;
}

/** `article` of `api::article.article`, `seo` of `shared.seo`. */
export const lastName = (uid: string): string => uid.slice(uid.lastIndexOf(".") + 1);

/**
 * Which types or components say what they come from, by uid.
 *
 * @param known the old uids
 */
export const ownerClaims = (owners: readonly Declared[], known: readonly string[]): readonly Claim[] => {
  const current = new Set(owners.map(({ uid }) => uid));
  const others = [...known.filter((uid) => !current.has(uid)), ...known, ...current];
  return owners.map(({ uid, renamedFrom }) => {
    if (renamedFrom === undefined) return { name: uid, from: undefined };
    const isMeant = (each: string): boolean => each !== uid && lastName(each) === renamedFrom;
    return { name: uid, from: others.find((each) => each === renamedFrom) ?? others.find(isMeant) };
  });
};

export const attributeClaims = (attributes: readonly Attribute[]): readonly Claim[] =>
  attributes.map(({ name, renamedFrom }) => ({ name, from: renamedFrom }));

export const valueClaims = (values: readonly string[], renamed: Readonly<Record<string, string>>): readonly Claim[] =>
  values.map((name) => ({ name, from: Object.hasOwn(renamed, name) ? renamed[name] : undefined }));

const entriesOf = (claims: readonly Claim[], prefix = ""): readonly (readonly [string, string])[] =>
  ringsOf(claims)
    .flat()
    .map(({ name, from = "" }) => [prefix + name, from] as const);

/** Everything that swaps in the schema, now or before; undefined if nothing does. */
export const swapsIn = ({ contentTypes, components }: Model): Snapshot["swapped"] => {
  const names = [contentTypes, components].flatMap((owners) => [
    ...entriesOf(ownerClaims(owners, [])),
    ...owners.flatMap(({ uid, attributes }) => entriesOf(attributeClaims(attributes), `${uid}.`)),
  ]);
  const values = [...contentTypes, ...components].flatMap(({ uid, attributes }) =>
    attributes.flatMap((attribute) => {
      if (attribute.kind !== "scalar" || !attribute.enum || !attribute.renamedValues) return [];
      const entries = entriesOf(valueClaims(attribute.enum, attribute.renamedValues));
      return entries.length === 0 ? [] : [[`${uid}.${attribute.name}`, Object.fromEntries(entries)] as const];
    }),
  );
  return names.length + values.length === 0
    ? undefined
    : { names: Object.fromEntries(names), values: Object.fromEntries(values) };
};
