/** REST requests that a front end may send: every type, populate, filter and sort. */
import { type Operator, OPERATORS, operatorsWhere } from "../../../runtime/base/filter-operators.ts";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { formOf, type ScalarForm } from "../../../runtime/base/scalar-form.ts";
import type { Attribute, Component, ContentType, Model, ScalarAttribute } from "../../model/model.ts";
import type { RestRequest } from "../request.ts";

export interface RestSet {
  readonly model: Model;
  readonly prefix: string;
  readonly locales: readonly string[];
  /** Documents of the type from the other server: filters use their values. */
  sample(path: string): Promise<readonly unknown[]>;
}

type Query = Readonly<Record<string, string>>;

const text = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const readable = ({ attributes }: ContentType | Component): readonly Attribute[] =>
  attributes.filter((each) => !each.private);

const isScalar = (attribute: Attribute): attribute is ScalarAttribute =>
  attribute.kind === "scalar" && attribute.type !== "password";

/** How values can be compared and sorted. */
const COMPARED: Readonly<Record<ScalarForm, "text" | "order" | "equality" | "never">> = {
  text: "text",
  integer: "order",
  number: "order",
  decimal: "order",
  digits: "order",
  boolean: "equality",
  date: "order",
  time: "equality",
  instant: "order",
  epoch: "equality",
  json: "never",
};

const comparedAs = ({ type }: ScalarAttribute) => COMPARED[formOf(type)];

/** The kinds of operators for each way of comparing values. */
const OFFERED: Readonly<Record<ReturnType<typeof comparedAs>, readonly string[]>> = {
  text: ["any", "text"],
  order: ["any", "order"],
  equality: ["any"],
  never: ["any"],
};

const operators = (attribute: ScalarAttribute): readonly Operator[] =>
  operatorsWhere(({ compares, takes }) => OFFERED[comparedAs(attribute)].includes(compares) && takes !== "flag");

/** The query parameters that compare the value at `path` with `value`. */
const comparison = (path: string, operator: Operator, value: string): Query => {
  const { takes } = OPERATORS[operator];
  if (takes === "filter") return { [`${path}[${operator}][$eq]`]: value };
  if (takes !== "list" && takes !== "pair") return { [`${path}[${operator}]`]: value };
  const list = takes === "pair" ? [value, value] : [value];
  return Object.fromEntries(list.map((each, index) => [`${path}[${operator}][${index}]`, each]));
};

const valueIn = (documents: readonly unknown[], name: string): string | undefined => {
  for (const document of documents) {
    const value = isRecord(document) ? document[name] : undefined;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (typeof value === "string" && value !== "" && value.length < 200) return value;
  }
  return undefined;
};

/** A sort makes the order unambiguous, even among equal values. */
const SORTED: Query = { "sort[0]": "documentId" };

const filters = (attribute: ScalarAttribute, documents: readonly unknown[]): readonly Query[] => {
  const { name } = attribute;
  const value = valueIn(documents, name);
  const path = `filters[${name}]`;
  const asks = operatorsWhere(({ takes }) => takes === "flag").map((operator) => comparison(path, operator, "true"));
  if (value === undefined) return asks.map((each) => ({ ...SORTED, ...each }));
  const either = { [`filters[$or][0][${name}][$eq]`]: value, [`filters[$or][1][${name}][$null]`]: "true" };
  const both = { [`filters[$and][0][${name}][$eq]`]: value, [`filters[$and][1][${name}][$notNull]`]: "true" };
  const compared = operators(attribute).map((operator) => comparison(path, operator, value));
  const searched = comparedAs(attribute) === "text" ? [{ _q: value }] : [];
  const whole = [{ [path]: value }, { [`filters[$not][${name}][$eq]`]: value }, either, both, ...searched];
  return [...asks, ...compared, ...whole].map((each) => ({ ...SORTED, ...each }));
};

const sorts = ({ name }: ScalarAttribute): readonly Query[] =>
  ["asc", "desc"].map((order) => ({ "sort[0]": `${name}:${order}`, "sort[1]": "documentId" }));

const comparedIn = (owner: ContentType | Component | undefined): readonly ScalarAttribute[] =>
  (owner ? readable(owner) : []).filter(isScalar).filter((attribute) => comparedAs(attribute) !== "never");

/** Filters on fields of a relation or component, and sorting by one if there is a single target. */
const through = (name: string, owner: ContentType | Component | undefined, isOne: boolean): readonly Query[] =>
  comparedIn(owner).flatMap((each) => [
    { ...SORTED, [`filters[${name}][${each.name}][$notNull]`]: "true" },
    ...(isOne ? [{ "sort[0]": `${name}.${each.name}`, "sort[1]": "documentId" }] : []),
  ]);

/** Populates relations and components, and filters by their fields. */
const leading = (attribute: Attribute, { contentTypes, components }: Model): readonly Query[] => {
  const { kind, name } = attribute;
  const shown = { ...SORTED, [`populate[${name}]`]: "true" };
  const deep = { ...SORTED, [`populate[${name}][populate]`]: "*" };
  switch (kind) {
    case "relation": {
      const target = contentTypes.find(({ uid }) => uid === attribute.target);
      if (!target) return [shown];
      const linked = { ...SORTED, [`filters[${name}][documentId][$notNull]`]: "true" };
      return [shown, deep, linked, ...through(name, target, !attribute.many)];
    }
    case "component": {
      const component = components.find(({ uid }) => uid === attribute.component);
      return [shown, deep, ...through(name, component, false)];
    }
    case "dynamiczone":
      return [
        shown,
        deep,
        ...attribute.components.map((uid) => ({ ...SORTED, [`populate[${name}][on][${uid}][populate]`]: "*" })),
      ];
    default:
      return kind === "media" ? [shown] : [];
  }
};

const versions = (type: ContentType, locales: readonly string[]): readonly Query[] => [
  ...(type.draftAndPublish ? ["draft", "published"].map((status) => ({ ...SORTED, status })) : []),
  ...(type.localized ? locales.map((locale) => ({ ...SORTED, locale })) : []),
];

const pages: readonly Query[] = [
  { ...SORTED, "pagination[page]": "2", "pagination[pageSize]": "2" },
  { ...SORTED, "pagination[start]": "1", "pagination[limit]": "2" },
  { ...SORTED, "pagination[pageSize]": "1000" },
  { ...SORTED, "pagination[withCount]": "false" },
  { ...SORTED, unknownParameter: "1" },
  { ...SORTED, status: "neither" },
];

const common = (type: ContentType, { model, locales }: RestSet): readonly Query[] => {
  const scalar = readable(type).find(isScalar);
  return [
    SORTED,
    { ...SORTED, populate: "*" },
    ...(scalar ? [{ ...SORTED, "fields[0]": scalar.name }] : []),
    ...readable(type).flatMap((attribute) => leading(attribute, model)),
    ...versions(type, locales),
  ];
};

const single = (type: ContentType, path: string, set: RestSet): readonly RestRequest[] =>
  common(type, set).map((query) => {
    const { "sort[0]": _, "sort[1]": _second, ...rest } = query;
    return { kind: "rest", path: Object.keys(rest).length === 0 ? path : `${path}?${text(rest)}` };
  });

const collection = async (type: ContentType, path: string, set: RestSet): Promise<readonly RestRequest[]> => {
  const documents = await set.sample(`${path}?${text({ ...SORTED, "pagination[pageSize]": "5" })}`);
  const ids = documents.flatMap((each) =>
    isRecord(each) && typeof each["documentId"] === "string" ? [each["documentId"]] : [],
  );
  const queries = [
    ...common(type, set),
    ...pages,
    ...comparedIn(type).flatMap((attribute) => [...filters(attribute, documents), ...sorts(attribute)]),
  ];
  return [
    { kind: "rest", path },
    ...queries.map((query): RestRequest => ({ kind: "rest", path: `${path}?${text(query)}` })),
    ...ids.slice(0, 2).flatMap((id): readonly RestRequest[] => [
      { kind: "rest", path: `${path}/${id}` },
      { kind: "rest", path: `${path}/${id}?populate=*` },
    ]),
    { kind: "rest", path: `${path}/aaaaaaaaaaaaaaaaaaaaaaaa` },
    { kind: "rest", path, anonymous: true },
  ];
};

/** The requests for all types of the project. */
export const restSet = async (set: RestSet): Promise<readonly RestRequest[]> => {
  const requests: RestRequest[] = [];
  for (const type of set.model.contentTypes) {
    if (!type.uid.startsWith("api::")) continue;
    const isSingle = type.kind === "singleType";
    const path = `${set.prefix}/${isSingle ? type.singularName : type.pluralName}`;
    requests.push(...(isSingle ? single(type, path, set) : await collection(type, path, set)));
  }
  return requests;
};
