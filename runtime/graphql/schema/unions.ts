/** Unions: the entries of a dynamic zone, and the targets of a polymorphic relation. */
import type { Declaration } from "../catalog.ts";
import { zoneInput } from "../scalars.ts";
import { typeFromRow } from "./ready.ts";
import type { Scope } from "./scope.ts";
import { zoneError } from "./shared-types.ts";

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
