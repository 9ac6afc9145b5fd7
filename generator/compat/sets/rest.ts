/** What a front end may ask over REST: every type, populate, filter and sort. */
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { Attribute, ContentType, ScalarAttribute } from "../../model/model.ts";
import type { RestRequest } from "../request.ts";

export interface RestSet {
  readonly prefix: string;
  readonly locales: readonly string[];
  /** Documents of the type that the other server has: filters take values from them. */
  sample(path: string): Promise<readonly unknown[]>;
}

type Query = Readonly<Record<string, string>>;

const text = (query: Query): string =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const readable = ({ attributes }: ContentType): readonly Attribute[] => attributes.filter((each) => !each.private);

const isScalar = (attribute: Attribute): attribute is ScalarAttribute =>
  attribute.kind === "scalar" && attribute.type !== "password";

/** Types whose values can be compared and sorted by. */
const COMPARED: ReadonlySet<string> = new Set([
  "string",
  "text",
  "richtext",
  "email",
  "uid",
  "enumeration",
  "integer",
  "biginteger",
  "float",
  "decimal",
  "date",
  "time",
  "datetime",
  "timestamp",
  "boolean",
]);
const TEXTS: ReadonlySet<string> = new Set(["string", "text", "email", "uid"]);
const ORDERED: ReadonlySet<string> = new Set(["integer", "biginteger", "float", "decimal", "date", "datetime"]);

const operators = ({ type }: ScalarAttribute): readonly string[] => [
  "$eq",
  "$ne",
  "$in",
  "$notIn",
  ...(TEXTS.has(type) ? ["$contains", "$notContains", "$containsi", "$startsWith", "$endsWith", "$eqi"] : []),
  ...(ORDERED.has(type) ? ["$gt", "$gte", "$lt", "$lte"] : []),
];

const valueIn = (documents: readonly unknown[], name: string): string | undefined => {
  for (const document of documents) {
    const value = isRecord(document) ? document[name] : undefined;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (typeof value === "string" && value !== "" && value.length < 200) return value;
  }
  return undefined;
};

/** With a sort there is one right order, whatever is equal. */
const SORTED: Query = { "sort[0]": "documentId" };

const filters = (attribute: ScalarAttribute, documents: readonly unknown[]): readonly Query[] => {
  const value = valueIn(documents, attribute.name);
  const asks = [
    ["$null", "true"],
    ["$notNull", "true"],
  ] as const;
  const compared = value === undefined ? [] : operators(attribute).map((operator) => [operator, value] as const);
  return [...asks, ...compared].map(([operator, wanted]) => ({
    ...SORTED,
    [`filters[${attribute.name}][${operator}]${/[iI]n$/.test(operator) ? "[0]" : ""}`]: wanted,
  }));
};

const sorts = ({ name }: ScalarAttribute): readonly Query[] =>
  ["asc", "desc"].map((order) => ({ "sort[0]": `${name}:${order}`, "sort[1]": "documentId" }));

/** Attributes that lead to something else are populated, and filtered by where they lead to documents. */
const populates = (attribute: Attribute): readonly Query[] => {
  if (attribute.kind === "scalar") return [];
  const { name } = attribute;
  const deep = attribute.kind !== "media" && !(attribute.kind === "relation" && attribute.target === undefined);
  const isFiltered = attribute.kind === "relation" && attribute.target !== undefined;
  return [
    { ...SORTED, [`populate[${name}]`]: "true" },
    ...(deep ? [{ ...SORTED, [`populate[${name}][populate]`]: "*" }] : []),
    ...(isFiltered ? [{ ...SORTED, [`filters[${name}][documentId][$notNull]`]: "true" }] : []),
  ];
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

const common = (type: ContentType, locales: readonly string[]): readonly Query[] => {
  const scalar = readable(type).find(isScalar);
  return [
    SORTED,
    { ...SORTED, populate: "*" },
    ...(scalar ? [{ ...SORTED, "fields[0]": scalar.name }] : []),
    ...readable(type).flatMap(populates),
    ...versions(type, locales),
  ];
};

const single = (type: ContentType, path: string, locales: readonly string[]): readonly RestRequest[] =>
  common(type, locales).map((query) => {
    const { "sort[0]": _, ...rest } = query;
    return { kind: "rest", path: Object.keys(rest).length === 0 ? path : `${path}?${text(rest)}` };
  });

const collection = async (type: ContentType, path: string, set: RestSet): Promise<readonly RestRequest[]> => {
  const documents = await set.sample(`${path}?${text({ ...SORTED, "pagination[pageSize]": "5" })}`);
  const scalars = readable(type)
    .filter(isScalar)
    .filter((attribute) => COMPARED.has(attribute.type));
  const ids = documents.flatMap((each) =>
    isRecord(each) && typeof each["documentId"] === "string" ? [each["documentId"]] : [],
  );
  const queries = [
    ...common(type, set.locales),
    ...pages,
    ...scalars.flatMap((attribute) => [...filters(attribute, documents), ...sorts(attribute)]),
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
export const restSet = async (types: readonly ContentType[], set: RestSet): Promise<readonly RestRequest[]> => {
  const requests: RestRequest[] = [];
  for (const type of types) {
    if (!type.uid.startsWith("api::")) continue;
    const isSingle = type.kind === "singleType";
    const path = `${set.prefix}/${isSingle ? type.singularName : type.pluralName}`;
    requests.push(...(isSingle ? single(type, path, set.locales) : await collection(type, path, set)));
  }
  return requests;
};
