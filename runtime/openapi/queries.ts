/** The query parameters of each type: filters, and what can be populated. */
import { OPERATORS, operatorsWhere } from "../base/filter-operators.ts";
import { formOf, type ScalarForm } from "../base/scalar-form.ts";
import { type Attributes, targetOf } from "../schema/attributes.ts";
import type { ContentType, ScalarType } from "../schema/content-type.ts";
import { zoneFilterSchema } from "../search/zone-filters.ts";
import { anyOf, integer, type JsonObject, list, record, ref, text, truth } from "./json-schema.ts";
import type { Declared } from "./names.ts";

const PARAMETERS = "#/components/parameters/";

export const parameterRef = (name: string): JsonObject => ({ $ref: `${PARAMETERS}${name}` });

/** How objects are written: `filters[title][$eq]=Tea`. */
export const DEEP: JsonObject = { style: "deepObject", explode: true };

/** How lists are written: separated by commas. */
export const LISTED: JsonObject = { style: "form", explode: false };

/** A parameter of the query. */
export const inQuery = (name: string, schema: JsonObject, description = "", how: JsonObject = {}): JsonObject => ({
  name,
  in: "query",
  ...how,
  schema,
  ...(description === "" ? {} : { description }),
});

/** The filters of values that are not compared as text. */
const FILTERS: Readonly<Partial<Record<ScalarForm, string>>> = {
  integer: "NumberFilter",
  number: "NumberFilter",
  decimal: "NumberFilter",
  boolean: "BooleanFilter",
};

const filterOf = (type: ScalarType): JsonObject => ref(FILTERS[formOf(type)] ?? "TextFilter");

/** The fields that documents of a type have besides their attributes. */
const systemFields = ({ localized, privateFields = [] }: ContentType): readonly string[] =>
  ["id", "documentId", "createdAt", "updatedAt", "publishedAt", ...(localized ? ["locale"] : [])].filter(
    (name) => !privateFields.includes(name),
  );

const withLogic = (own: JsonObject, name: string): JsonObject => {
  const self = ref(`${name}Filters`);
  return record({ ...own, $and: list(self), $or: list(self), $not: self });
};

/** Filters of attributes. Private attributes and relations to any type have none, and zones only where configured. */
const attributeFilters = (attributes: Attributes, { names, filtersZones }: Declared): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]): [string, JsonObject][] => {
      if (attribute.private || attribute.type === "password") return [];
      switch (attribute.type) {
        case "relation": {
          const target = targetOf(attribute);
          return target === undefined ? [] : [[name, ref(`${names.type(target)}Filters`)]];
        }
        case "media":
          return [[name, { type: "object" }]];
        case "component":
          return [[name, ref(`${names.component(attribute.component)}Filters`)]];
        case "dynamiczone": {
          if (!filtersZones) return [];
          const entries = attribute.components.map((uid) => [uid, ref(`${names.component(uid)}Filters`)] as const);
          return [[name, zoneFilterSchema(Object.fromEntries(entries))]];
        }
        default:
          return [[name, filterOf(attribute.type)]];
      }
    }),
  );

const isLink = (type: string): boolean => ["relation", "media", "component", "dynamiczone"].includes(type);

const populateOf = (attributes: Attributes, localized: boolean): JsonObject => {
  const names = Object.entries(attributes).flatMap(([name, { private: hidden, type }]) =>
    isLink(type) && !hidden ? [name] : [],
  );
  const all = localized ? [...names, "localizations"] : names;
  const each = Object.fromEntries(all.map((name) => [name, ref("Populate")]));
  return anyOf({ const: "*" }, text, list(text), record(each));
};

/** The schemas that parameters refer to, by name. */
export const querySchemas = (declared: Declared): JsonObject => {
  const { names, contentTypes, components } = declared;
  const types = Object.values(contentTypes).flatMap(({ type }): [string, JsonObject][] => {
    const name = names.type(type.uid);
    const system = systemFields(type).map((field) => [field, filterOf(field === "id" ? "integer" : "string")]);
    const own = { ...Object.fromEntries(system), ...attributeFilters(type.attributes, declared) };
    return [
      [`${name}Filters`, withLogic(own, name)],
      [`${name}Populate`, populateOf(type.attributes, type.localized)],
    ];
  });
  const entries = Object.values(components).map(({ component }): [string, JsonObject] => {
    const name = names.component(component.uid);
    return [`${name}Filters`, withLogic(attributeFilters(component.attributes, declared), name)];
  });
  return { ...Object.fromEntries([...types, ...entries]), ...sharedSchemas() };
};

/** The operators that compare values of these kinds; `$not` is an operator of whole filters. */
const comparisons = (value: JsonObject, ...kinds: readonly string[]): JsonObject =>
  Object.fromEntries(
    operatorsWhere(({ compares, takes }) => kinds.includes(compares) && takes !== "filter").map((name) => [
      name,
      OPERANDS[OPERATORS[name].takes](value),
    ]),
  );

const OPERANDS = {
  value: (value: JsonObject) => value,
  orNull: (value: JsonObject) => value,
  text: () => text,
  list,
  pair: list,
  flag: () => truth,
  filter: (value: JsonObject) => value,
  json: () => ({}),
};

const sharedSchemas = (): JsonObject => {
  const number = { type: "number" };
  return {
    TextFilter: anyOf(text, record(comparisons(text, "any", "order", "text"))),
    NumberFilter: anyOf(number, record(comparisons(number, "any", "order"))),
    BooleanFilter: anyOf(truth, record(comparisons(truth, "any"))),
    Populate: anyOf(
      truth,
      { const: "*" },
      record({
        fields: list(text),
        filters: { type: "object" },
        sort: anyOf(text, list(text)),
        populate: anyOf({ const: "*" }, list(text), { type: "object" }),
        on: { type: "object", description: "What to populate of each component of a zone, by its uid." },
      }),
    ),
  };
};

const fieldNames = (type: ContentType, attributes: Attributes): readonly string[] => [
  ...systemFields(type),
  ...Object.entries(attributes).flatMap(([name, { private: hidden, type }]) =>
    isLink(type) || hidden || type === "password" ? [] : [name],
  ),
];

const page = record({
  page: integer,
  pageSize: integer,
  start: integer,
  limit: integer,
  after: text,
  withCount: truth,
});

/** The parameters that operations refer to, by name. */
export const parameters = ({ names, contentTypes }: Declared): JsonObject => {
  const own = Object.values(contentTypes).flatMap(({ type }): [string, JsonObject][] => {
    const name = names.type(type.uid);
    return [
      [
        `${name}Fields`,
        inQuery("fields", list({ type: "string", enum: [...fieldNames(type, type.attributes)] }), "", LISTED),
      ],
      [`${name}Filters`, inQuery("filters", ref(`${name}Filters`), "", DEEP)],
      [`${name}Populate`, inQuery("populate", ref(`${name}Populate`), "", DEEP)],
    ];
  });
  return {
    ...Object.fromEntries(own),
    documentId: { name: "documentId", in: "path", required: true, schema: text },
    sort: inQuery("sort", list(text), "Such as `title:asc,author.name:desc`.", LISTED),
    pagination: inQuery(
      "pagination",
      page,
      "`page` and `pageSize`, or `start` and `limit`; or a size and `after`, the cursor that the page before has in its answer, and empty for the first page.",
      DEEP,
    ),
    status: inQuery("status", { type: "string", enum: ["draft", "published"] }, "Which version: published by default."),
    locale: inQuery("locale", text, "The default one when it is left out; lists and deletions also take `*`."),
    fallback: inQuery(
      "fallback",
      text,
      "The locales in which a document is shown that lacks `locale`, such as `de,en`.",
    ),
    localization: inQuery("localization", truth, "Whether `meta` says in which locales documents are translated."),
    search: inQuery("_q", text, "What texts have to contain."),
    facets: inQuery(
      "facets",
      text,
      "Enumerations, booleans and relations to count in `meta.search`, such as `kind,topics`.",
    ),
    snippets: inQuery("snippets", truth, "Whether `meta.search` has the text around the words found."),
    publicationFilter: inQuery("publicationFilter", text, "Which documents, by the state of their versions."),
  };
};
