/** Names before and after a migration, as recorded in snapshots. */
import type { AttributeOutline, Snapshot } from "../snapshot.ts";

/**
 * Origins of types, components and attributes: old place by new, such as `api::blog.blog` by `api::post.post`, and
 * `shared.seo.title` by `api::page.page.title`.
 */
export type Threads = ReadonlyMap<string, string>;

/** The type or component of a place, and the attribute there. */
export const ownerOf = (place: string): string => place.slice(0, place.lastIndexOf("."));
export const nameOf = (place: string): string => place.slice(place.lastIndexOf(".") + 1);

type Owners = Readonly<Record<string, { readonly attributes: Readonly<Record<string, AttributeOutline>> }>>;

export const ownersOf = ({ contentTypes, components }: Snapshot): Owners => ({ ...contentTypes, ...components });

/** Uids, and places of attributes. */
export const placesOf = (snapshot: Snapshot): readonly string[] =>
  Object.entries(ownersOf(snapshot)).flatMap(([uid, { attributes }]) => [
    uid,
    ...Object.keys(attributes).map((name) => `${uid}.${name}`),
  ]);

/** The threads of an existing migration, from what its snapshot records. */
export const recall = (old: Snapshot, { renamed = {}, ...next }: Snapshot): Threads => {
  const [known, taken] = [new Set(placesOf(old)), new Set(Object.values(renamed))];
  return new Map(
    placesOf(next).flatMap((place) => {
      const was = renamed[place] ?? (known.has(place) && !taken.has(place) ? place : undefined);
      return was === undefined ? [] : [[place, was] as const];
    }),
  );
};
