/** Filters on the entries of a dynamic zone, by component and by content. */
import { isRecord } from "../base/is-record.ts";

/** How the conditions of a query are built and checked. */
export interface ZoneConditions<Condition, Uid extends string> {
  /** The zone has an entry of one of these components. */
  listed(components: readonly Uid[]): Condition;
  /** The zone has an entry of this component that meets the filters. */
  entry(component: Uid, filters: unknown): Condition;
  group(operator: "$and" | "$or" | "$not", items: readonly (Condition | undefined)[]): Condition | undefined;
  /** The boolean that a query value stands for. */
  truth(value: unknown): boolean;
  /** The error for an unknown key or component; without a key, for a value that is not a filter. */
  refused(key?: string): Error;
}

interface Zone<Condition, Uid extends string> extends ZoneConditions<Condition, Uid> {
  readonly components: readonly Uid[];
}

/** Checks the filter on a zone of these components. Each component that it names requires an entry of its own. */
export const zoneFilter = <Condition, Uid extends string>(
  zone: Zone<Condition, Uid>,
  raw: unknown,
): Condition | undefined => {
  if (!isRecord(raw)) throw zone.refused();
  return zone.group(
    "$and",
    Object.entries(raw).map(([key, value]) => {
      if (key === "__component") return kindFilter(zone, value);
      if (key === "$not") return zone.group(key, [zoneFilter(zone, value)]);
      if (key !== "$and" && key !== "$or") return zone.entry(uidOf(zone, key), value);
      if (!Array.isArray(value)) throw zone.refused(key);
      return zone.group(
        key,
        value.map((item) => zoneFilter(zone, item)),
      );
    }),
  );
};

const uidOf = <Condition, Uid extends string>({ components, refused }: Zone<Condition, Uid>, text: unknown): Uid => {
  const uid = components.find((component) => component === text);
  if (uid === undefined) throw refused(typeof text === "string" && text !== "" ? text : "__component");
  return uid;
};

/** The filter on `__component`: a component, a list of components, or operators that must all hold. */
const kindFilter = <Condition, Uid extends string>(
  zone: Zone<Condition, Uid>,
  value: unknown,
): Condition | undefined => {
  const operators = isRecord(value) ? value : { $in: value };
  return zone.group(
    "$and",
    Object.entries(operators).map(([operator, operand]) => kindOperator(zone, operator, operand)),
  );
};

const kindOperator = <Condition, Uid extends string>(
  zone: Zone<Condition, Uid>,
  operator: string,
  operand: unknown,
): Condition | undefined => {
  const { components, group, listed, truth, refused } = zone;
  if (operator === "$null" || operator === "$notNull") {
    const some = listed(components);
    return truth(operand) === (operator === "$notNull") ? some : group("$not", [some]);
  }
  const isNegated = operator === "$ne" || operator === "$notIn";
  if (!isNegated && operator !== "$eq" && operator !== "$in") throw refused(operator);
  const named = new Set([operand].flat().map((text) => uidOf(zone, text)));
  if (named.size === 0) return group(isNegated ? "$and" : "$or", []);
  return listed(components.filter((component) => named.has(component) !== isNegated));
};

/** The JSON Schema of the filter on a zone, by the schemas of the filters on entries of its components. */
export const zoneFilterSchema = <Schema extends object>(entries: Readonly<Record<string, Schema>>) => {
  const component = { type: "string", enum: Object.keys(entries) };
  const components = { type: "array", items: component };
  const flag = { type: "boolean" };
  const operators = {
    $eq: component,
    $ne: component,
    $in: components,
    $notIn: components,
    $null: flag,
    $notNull: flag,
  };
  const group = { type: "array", items: { type: "object" } };
  return {
    type: "object",
    properties: {
      ...entries,
      __component: { anyOf: [component, components, { type: "object", properties: operators }] },
      $and: group,
      $or: group,
      $not: { type: "object" },
    },
  };
};
