/** Targets of relations and media fields. Types refer to one another in cycles, so targets are looked up by name. */
import type { InputRef } from "../builder.ts";
import type { Declaration } from "../catalog.ts";
import type { Link } from "../schema/relation.ts";
import type { Scope } from "../schema/scope.ts";
import { scalarFilter } from "../schema/shared-types.ts";
import { UPLOAD_FILE, UPLOAD_FILE_UID } from "../upload-file.ts";
import { filtersOf } from "./members.ts";

/** The filter input of the object called `target`. */
export const filtersOfTarget = (scope: Scope, target: string) => (): InputRef | undefined =>
  filtersOf(scope, scope.catalog.named(target));

/** `<Union>FiltersInput`: conditions on the entries of a zone, each below the name of its component. */
export const zoneFilters = (scope: Scope, union: string, components: readonly Declaration[]) => (): InputRef =>
  scope.refs.defineInput(`${union}FiltersInput`, (t, ref) => ({
    component: t.field({ type: scalarFilter(scope, "String") }),
    ...Object.fromEntries(
      components.map((component) => [component.name, t.field({ type: filtersOf(scope, component) ?? ref })]),
    ),
    and: t.field({ type: t.listRef(ref, { required: false }) }),
    or: t.field({ type: t.listRef(ref, { required: false }) }),
    not: t.field({ type: ref }),
  }));

/** Documents of the type whose object is called `target`. */
export const documentLink = (scope: Scope, target: string): Link => {
  const { uid, type } = scope.catalog.named(target);
  return {
    target,
    uid,
    filters: filtersOfTarget(scope, target),
    can: `${uid}.find`,
    draftAndPublish: type?.draftAndPublish === true,
    isFile: false,
  };
};

/** Whoever sees an entry may also see its files. */
export const fileLink = (scope: Scope): Link => ({
  target: UPLOAD_FILE,
  uid: UPLOAD_FILE_UID,
  filters: filtersOfTarget(scope, UPLOAD_FILE),
  can: undefined,
  draftAndPublish: false,
  isFile: true,
});
