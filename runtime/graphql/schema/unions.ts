/** Unions: what a dynamic zone holds, and what a polymorphic relation may point to. */
import type { TypeDeclaration, ZoneDeclaration } from "../declaration.ts";
import { zoneInput } from "../scalars.ts";
import { UploadFile } from "../upload-file.ts";
import { typeFromRow } from "./ready.ts";
import type { Scope } from "./scope.ts";
import { zoneError } from "./shared-types.ts";

/** The union of a zone's components, and of `Error`, which clients of other servers select. */
export const zoneUnion = (scope: Scope, zone: ZoneDeclaration) =>
  scope.refs.once(zone.name, () => {
    const names = new Map(zone.components.map(({ component, name }) => [component.uid as string, name]));
    return scope.builder.unionType(zone.name, {
      types: [...zone.components.map((component) => scope.make.componentObject(component)), zoneError(scope)],
      ...typeFromRow((entry) => names.get(String(entry["__component"]))),
    });
  });

/** The scalar that a zone's entries are written with. */
export const zoneInputName = (scope: Scope, zone: ZoneDeclaration) => {
  const name = `${zone.name}Input` as const;
  return scope.refs.once(name, () => {
    const uids = new Map(zone.components.map((each) => [each.name, each.component.uid as string]));
    return scope.builder.addScalarType(name as `${string}DynamicZoneInput`, zoneInput(name, uids));
  });
};

/** Everything that a polymorphic relation may point to. */
export const morphUnion = (scope: Scope) =>
  scope.refs.once("GenericMorph", () => {
    const isEnabled = ({ type }: TypeDeclaration) => scope.shadow.type(type.uid).isEnabled();
    const types = [UploadFile, ...scope.types.values()].filter(isEnabled);
    const names = new Map<string, string>([
      ...[...scope.components.values()].map(({ component, name }) => [component.uid, name] as const),
      ...types.map(({ type, name }) => [type.uid, name] as const),
    ]);
    return scope.builder.unionType("GenericMorph", {
      types: [
        ...[...scope.components.values()].map((component) => scope.make.componentObject(component)),
        ...types.map((type) => scope.make.object(type)),
      ],
      ...typeFromRow((entry) => names.get(String(entry["__type"]))),
    });
  });
