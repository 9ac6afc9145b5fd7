/**
 * Targets of relations, media fields and dynamic zones, and the unions of those that may have several. Types refer to one
 * another in cycles, so targets are looked up by name.
 */
import type { InputRef } from "../builder.ts";
import type { Declaration } from "../catalog.ts";
import { zoneInput } from "../scalars.ts";
import { typeFromRow } from "../schema/ready.ts";
import type { Link } from "../schema/relation.ts";
import type { Scope } from "../schema/scope.ts";
import { scalarFilter, zoneError } from "../schema/shared-types.ts";
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

/** The union of a zone's components and `Error`, which clients of other servers select. */
export const zoneUnion = (scope: Scope, name: string, components: readonly Declaration[]) =>
  scope.refs.once(name, () => {
    const names = new Map<string, string>(components.map((component) => [component.uid, component.name]));
    return scope.builder.unionType(name, {
      types: [...components.map((component) => scope.refs.object(component.name)), zoneError(scope)],
      ...typeFromRow((entry) => names.get(String(entry["__component"]))),
    });
  });

/** The scalar for writing a zone's entries. */
export const zoneInputName = (scope: Scope, union: string, components: readonly Declaration[]) => {
  const name = `${union}Input` as const;
  return scope.refs.once(name, () => {
    const uids = new Map(components.map((component) => [component.name, component.uid]));
    return scope.builder.addScalarType(name as `${string}DynamicZoneInput`, zoneInput(name, uids));
  });
};

/** Everything that a polymorphic relation may point to. */
export const morphUnion = (scope: Scope) =>
  scope.refs.once("GenericMorph", () => {
    const { catalog, shadow } = scope;
    const names = new Map<string, string>(
      catalog.all
        .filter(({ type, uid }) => type === undefined || shadow.type(uid).isEnabled())
        .map(({ uid, name }) => [uid, name] as const),
    );
    return scope.builder.unionType("GenericMorph", {
      types: [...names.values()].map((name) => scope.refs.object(name)),
      ...typeFromRow((entry) => names.get(String(entry["__type"]))),
    });
  });
