/** Finds the component entries in rows of the source: links refer to them by type and id. */
import { isRecord } from "../../runtime/base/is-record.ts";
import type { Attributed } from "../../runtime/documents/attributes.ts";
import { isComponentUid } from "../../runtime/documents/body/parse.ts";
import type { ComponentUid, Field } from "../../runtime/schema/content-type.ts";
import type { Registry } from "../../runtime/schema/registry.ts";
import { isInt4 } from "../../runtime/schema/validation/numbers.ts";

/** The entries in a value of a component or zone attribute, each with its component. */
export const entriesIn = (
  field: Extract<Field, { readonly type: "component" | "dynamiczone" }>,
  value: unknown,
): readonly { readonly component: ComponentUid; readonly entry: Readonly<Record<string, unknown>> }[] => {
  const entries = (Array.isArray(value) ? value : [value]).filter(isRecord);
  return entries.flatMap((entry) => {
    const component = field.type === "component" ? field.component : String(entry["__component"]);
    return isComponentUid(component) ? [{ component, entry }] : [];
  });
};

/** A row, or an entry of a component. */
export interface Owner {
  readonly type: string;
  readonly ref: number;
}

/** A component entry. Without a ref it has no id in the source, and no links. */
export interface FoundEntry {
  readonly type: string;
  readonly ref: number | undefined;
}

/** The id of an entry; undefined if it is invalid. */
export const refOf = ({ id }: Readonly<Record<string, unknown>>): number | undefined =>
  isInt4(id) && id > 0 ? id : undefined;

/** The entries of all components in a row, at any depth. */
export const collectEntries = (
  registry: Registry,
  { attributes }: Attributed,
  data: Readonly<Record<string, unknown>>,
): readonly FoundEntry[] =>
  Object.entries(attributes).flatMap(([name, field]) => {
    if (field.type !== "component" && field.type !== "dynamiczone") return [];
    return entriesIn(field, data[name]).flatMap(({ component, entry }): readonly FoundEntry[] => {
      const declared = registry.components[component]?.component;
      if (declared === undefined) return [];
      return [{ type: component, ref: refOf(entry) }, ...collectEntries(registry, declared, entry)];
    });
  });
