/** The state of a list. It is in the address, so that it can be bookmarked and shared. */
import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { Attribute, ContentType } from "../api/description.ts";
import { isShown, isToMany } from "../api/description.ts";

export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

export interface ListState {
  /** The cursor of the page, and the number of rows before it. */
  readonly after: string;
  readonly before: number;
  readonly pageSize: number;
  readonly sort: string;
  readonly search: string;
  readonly locale: string | undefined;
  readonly publication: string | undefined;
  readonly conditions: readonly Condition[];
  readonly columns: readonly string[];
}

/** Parses `field:operator:value`, where the value may contain colons. */
const conditionIn = (text: string): Condition[] => {
  const [field = "", operator = "", ...value] = text.split(":");
  return field === "" || operator === "" ? [] : [{ field, operator, value: value.join(":") }];
};

const LISTED = new Set(["string", "enumeration", "boolean", "date", "integer", "media", "relation"]);

/** The default columns of a list: those of the layout, or the first few short attributes. */
export const defaultColumns = ({ attributes, panel }: ContentType, main: string | undefined): readonly string[] =>
  panel.columns?.filter((name) => name !== main && Object.hasOwn(attributes, name)) ??
  Object.entries(attributes)
    .filter(([name, attribute]) => name !== main && LISTED.has(attribute.type) && !isLong(attribute))
    .filter(([, attribute]) => isShown(attribute))
    .slice(0, 3)
    .map(([name]) => name);

const isLong = (attribute: Attribute): boolean =>
  (attribute.type === "relation" && (isToMany(attribute) || attribute.target === undefined)) ||
  (attribute.type === "media" && attribute.multiple === true);

const columnsKey = (type: ContentType): string => `panel:columns:${type.uid}`;

const keptColumns = (type: ContentType): readonly string[] | undefined => {
  const kept: unknown = JSON.parse(localStorage.getItem(columnsKey(type)) ?? "null");
  return Array.isArray(kept)
    ? kept.filter((name) => typeof name === "string" && Object.hasOwn(type.attributes, name))
    : undefined;
};

const numberIn = (text: string | null, otherwise: number): number => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
};

export const useListState = (type: ContentType, main: string | undefined) => {
  const [params, setParams] = useSearchParams();
  const state = useMemo<ListState>(
    () => ({
      after: params.get("after") ?? "",
      before: params.has("after") ? numberIn(params.get("before"), 0) : 0,
      pageSize: numberIn(params.get("size"), 25),
      sort: params.get("sort") ?? "updatedAt:desc",
      search: params.get("q") ?? "",
      locale: params.get("locale") ?? undefined,
      publication: params.get("state") ?? undefined,
      conditions: params.getAll("where").flatMap(conditionIn),
      columns:
        params
          .get("columns")
          ?.split(",")
          .filter((name) => Object.hasOwn(type.attributes, name)) ??
        keptColumns(type) ??
        defaultColumns(type, main),
    }),
    [params, type, main],
  );
  /** Changes parameters of the address; undefined removes one. Except for the page itself, this returns to the first page. */
  const change = useCallback(
    (changes: Readonly<Record<string, string | readonly string[] | undefined>>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          if (!("after" in changes)) for (const name of ["after", "before"]) after.delete(name);
          for (const [name, value] of Object.entries(changes)) {
            after.delete(name);
            if (typeof value === "string") after.set(name, value);
            else for (const each of value ?? []) after.append(name, each);
          }
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  const chooseColumns = useCallback(
    (columns: readonly string[]) => {
      localStorage.setItem(columnsKey(type), JSON.stringify(columns));
      change({ columns: columns.join(",") });
    },
    [type, change],
  );
  return { state, change, chooseColumns };
};

const valueOf = (attribute: Attribute | undefined, { operator, value }: Condition): unknown =>
  operator === "$null" || operator === "$notNull" || attribute?.type === "boolean" ? value !== "false" : value;

/** The filters parameter for conditions; undefined for none. */
export const filtersOf = (type: ContentType, conditions: readonly Condition[]): object | undefined => {
  const all = conditions.map((condition) => {
    const { field, operator } = condition;
    const attribute = type.attributes[field];
    const compared = { [operator]: valueOf(attribute, condition) };
    return {
      [field]: attribute?.type === "relation" && !operator.startsWith("$n") ? { documentId: compared } : compared,
    };
  });
  return all.length === 0 ? undefined : { $and: all };
};
