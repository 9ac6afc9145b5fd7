/** The declarations that the document is made from, and their names in it. */
import type { ComponentUid, Uid } from "../schema/content-type.ts";
import type { Declarations } from "../schema/registry.ts";

/** Names of the document's own schemas, without the ones derived from them. */
const RESERVED = [
  "AnyDocument",
  "Blocks",
  "BlocksList",
  "BooleanFilter",
  "Error",
  "File",
  "Login",
  "NumberFilter",
  "Pagination",
  "Populate",
  "Reference",
  "ReferenceOfAny",
  "Target",
  "TargetOfAny",
  "TextFilter",
];

/** The suffixes of schema names that are made from a type's name. */
const SUFFIXES = ["", "Input", "Changes", "Filters", "Populate", "Zone", "ZoneInput", "ZoneChanges"];

interface Names {
  type(uid: Uid): string;
  component(uid: ComponentUid): string;
}

/** The declarations of an application. */
export interface Declared extends Declarations {
  readonly names: Names;
  /** Whether bodies need their required relations and files. */
  readonly strictRelations: boolean;
  /** Whether filters reach the entries of zones. */
  readonly filtersZones: boolean;
}

/** `blog-post` as `BlogPost`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** Sorts built-in types first, since the runtime's own routes use their short names. */
const keyOf = (uid: string): string => `${uid.startsWith("plugin::users-permissions.") ? 0 : 1}${uid}`;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Gives every uid a unique name: the short one, or the whole uid if that is taken, or that with a number. */
const assign = (wanted: readonly { readonly uid: string; readonly short: string }[]): ReadonlyMap<string, string> => {
  const taken = new Set(RESERVED);
  const names = new Map<string, string>();
  const isFree = (name: string): boolean => SUFFIXES.every((suffix) => !taken.has(`${name}${suffix}`));
  for (const { uid, short } of wanted.toSorted((a, b) => compare(keyOf(a.uid), keyOf(b.uid)))) {
    const whole = pascal(uid);
    let name = isFree(short) ? short : whole;
    for (let number = 2; !isFree(name); number += 1) name = `${whole}${number}`;
    for (const suffix of SUFFIXES) taken.add(`${name}${suffix}`);
    names.set(uid, name);
  }
  return names;
};

/** The names of all declarations; they depend only on the uids. */
export const namesOf = ({ contentTypes, components }: Declarations): Names => {
  const types = Object.values(contentTypes).map(({ type }) => ({ uid: type.uid, short: pascal(type.singularName) }));
  const entries = Object.values(components).map(({ component: { uid } }) => ({ uid, short: pascal(uid) }));
  const names = assign([...types, ...entries]);
  const of = (uid: string): string => {
    const name = names.get(uid);
    if (name === undefined) throw new Error(`nothing that is declared has the uid "${uid}"`);
    return name;
  };
  return { type: of, component: of };
};
