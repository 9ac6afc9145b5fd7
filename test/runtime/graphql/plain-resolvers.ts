/** The content of the tests as plain objects with plain resolvers: what graphql-js answers with when nothing of ours runs. */
import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  getNamedType,
  type GraphQLSchema,
  isScalarType,
  parse,
  printSchema,
} from "graphql";
import { scalars } from "../../../runtime/graphql/scalars.ts";
import { queryString } from "../query/random-queries.ts";
import type { GraphqlServer } from "./world.ts";

type Values = Readonly<Record<string, unknown>>;

const link = { fields: ["documentId"] };
const articles = { fields: ["documentId", "locale"] };
const file = { fields: ["documentId"] };
const anything = {
  on: {
    "api::article.article": articles,
    "api::author.author": link,
    "api::category.category": link,
    "api::comment.comment": link,
    "api::vault.vault": link,
  },
};
const linkEntry = { populate: { icon: file, owner: link, safe: link } };

/** What is populated of each type: components whole, and of documents and files what identifies them. */
const CONTENT: Readonly<Record<string, { readonly name: string; readonly populate: Values }>> = {
  articles: {
    name: "Article",
    populate: {
      cover: file,
      gallery: file,
      author: link,
      categories: link,
      related: articles,
      vaults: link,
      localizations: articles,
      seo: { populate: { image: file, images: file, topics: link, links: linkEntry } },
      links: linkEntry,
      sections: {
        on: {
          "blocks.quote": true,
          "blocks.hero": { populate: { image: file, cta: linkEntry, links: linkEntry, about: anything } },
        },
      },
    },
  },
  authors: { name: "Author", populate: { avatar: file, boss: link, deputy: link, articles } },
  categories: { name: "Category", populate: { articles } },
  comments: { name: "Comment", populate: { subject: anything, mentions: anything } },
  vaults: { name: "Vault", populate: {} },
};

/** The content types that relations lead to, by the name of the field; files are told by what they have. */
const LEADS: Readonly<Record<string, string>> = {
  author: "Author",
  owner: "Author",
  boss: "Author",
  deputy: "Author",
  articles: "Article",
  related: "Article",
  localizations: "Article",
  categories: "Category",
  topics: "Category",
  vaults: "Vault",
  safe: "Vault",
  cover: "UploadFile",
  gallery: "UploadFile",
  avatar: "UploadFile",
  icon: "UploadFile",
  image: "UploadFile",
  images: "UploadFile",
};

const COMPONENTS: Readonly<Record<string, string>> = {
  "blocks.quote": "ComponentBlocksQuote",
  "blocks.hero": "ComponentBlocksHero",
};
const TYPES: Readonly<Record<string, string>> = {
  "api::article.article": "Article",
  "api::author.author": "Author",
  "api::category.category": "Category",
  "api::comment.comment": "Comment",
  "api::vault.vault": "Vault",
};

const values = (value: unknown): Values => Object(value);

const list = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.map(values) : []);

export interface PlainAnswers {
  readonly schema: GraphQLSchema;
  /** The text of the answer. */
  answer(text: string, variables: Values): string;
}

/** Documents by type, documentId and locale. */
class Store {
  readonly #documents = new Map<string, Values>();
  /** Documents of the default locale, by type. */
  readonly lists = new Map<string, readonly Values[]>();

  add(type: string, documents: readonly Values[], isDefault: boolean): void {
    for (const each of documents) {
      this.#documents.set(`${type} ${String(each["documentId"])} ${String(each["locale"] ?? null)}`, each);
    }
    if (isDefault) this.lists.set(type, documents);
  }

  find(type: string, documentId: unknown, locale: unknown): Values | undefined {
    const id = String(documentId);
    return this.#documents.get(`${type} ${id} ${String(locale)}`) ?? this.#documents.get(`${type} ${id} null`);
  }
}

const loadStore = async ({ rest }: GraphqlServer): Promise<Store> => {
  const store = new Store();
  const read = async (path: string, query: object): Promise<readonly Values[]> => {
    const { body, status } = await rest(`/${path}?${queryString(query as never).join("&")}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return list(values(body)["data"] ?? body);
  };
  for (const [path, { name, populate }] of Object.entries(CONTENT)) {
    const named = (type: string) => (each: Values) => ({ ...each, __typename: type });
    for (const locale of path === "articles" ? ["fr", "en"] : ["en"]) {
      const query = { sort: ["id"], populate, ...(path === "articles" ? { locale } : {}) };
      store.add(name, (await read(path, query)).map(named(name)), locale === "en");
    }
  }
  const files = new Map<string, Values>();
  const everything = { cover: true, gallery: true, seo: { populate: { image: true, images: true } } };
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("mime" in value) files.set(String(values(value)["documentId"]), { ...value, __typename: "UploadFile" });
    else Object.values(value).forEach(collect);
  };
  collect(await read("articles", { populate: everything }));
  store.add("UploadFile", [...files.values()], true);
  return store;
};

/** The part of a list that is asked for; ten items where nothing is said. */
const windowed = <Item>(items: readonly Item[], pagination: unknown): readonly Item[] => {
  const { start = 0, limit, pageSize } = values(pagination);
  const first = Number(start);
  return items.slice(first, first + Number(limit ?? pageSize ?? 10));
};

const pageOf = (items: readonly Values[], pagination: unknown) => {
  const { start = 0, limit, pageSize } = values(pagination);
  const size = Number(limit ?? pageSize ?? 10);
  const page = Math.floor(Number(start) / size) + 1;
  return { total: items.length, page, pageSize: size, pageCount: Math.ceil(items.length / size), after: null };
};

const entity = (document: Values | null | undefined): Values | null =>
  document ? { id: document["documentId"], attributes: document } : null;

const resolverOf =
  (store: Store, isEntity: boolean): GraphQLFieldResolver<unknown, unknown> =>
  (source, args, _context, { fieldName, returnType, parentType }) => {
    const type = getNamedType(returnType).name;
    if (parentType.name === "Query") return rootOf(store, isEntity, fieldName, args, type);
    const own = values(source);
    if (parentType.name.endsWith("Entity") || /Response|Pagination|Meta/.test(parentType.name)) return own[fieldName];
    const name = fieldName.replace(/_connection$/, "");
    const found = related(store, own, name);
    const page = Array.isArray(found) ? windowed(found, args["pagination"]) : found;
    if (type.endsWith("RelationResponseCollection")) {
      return isEntity ? { data: list(page).map(entity) } : { nodes: page };
    }
    return type.endsWith("EntityResponse") ? { data: entity(page as Values | null) } : page;
  };

const related = (store: Store, own: Values, name: string): unknown => {
  const value = own[name];
  const locale = own["locale"] ?? "en";
  const follow = (each: Values): Values | undefined => {
    const type = TYPES[String(each["__type"])] ?? LEADS[name];
    return type === undefined || !("documentId" in each)
      ? entry(each)
      : store.find(type, each["documentId"], each["locale"] ?? locale);
  };
  // Components carry the locale of the document that they are part of.
  const entry = (each: Values): Values => ({ ...each, locale, __typename: COMPONENTS[String(each["__component"])] });
  if (Array.isArray(value)) return value.map(values).flatMap((each) => follow(each) ?? []);
  if (typeof value !== "object" || value === null) return value;
  const isRow = name in LEADS || name === "subject" || name === "seo" || name === "cta";
  return isRow ? (follow(values(value)) ?? null) : value;
};

const rootOf = (store: Store, isEntity: boolean, field: string, args: Values, type: string): unknown => {
  const name = type.replace(/Entity(Response)?(Collection)?$|EntityResponse$/, "");
  const id = args["documentId"] ?? args["id"];
  if (id !== undefined) {
    const one = store.find(name, id, "en") ?? null;
    return isEntity ? { data: entity(one) } : one;
  }
  const all = store.lists.get(name) ?? [];
  const page = windowed(all, args["pagination"]);
  const facts = pageOf(all, args["pagination"]);
  if (isEntity) return { data: page.map(entity), meta: { pagination: facts } };
  return field.endsWith("_connection") ? { nodes: page, pageInfo: facts } : page;
};

/** An executable schema of plain resolvers, with the names of another. */
const plainSchema = (schema: GraphQLSchema): GraphQLSchema => {
  const plain = buildSchema(printSchema(schema));
  for (const [name, { serialize }] of Object.entries(scalars)) {
    const scalar = plain.getType(name);
    if (isScalarType(scalar)) scalar.serialize = serialize;
  }
  return plain;
};

/** Answers from the content that a server has at this moment. */
export const plainAnswers = async (
  server: GraphqlServer,
  ours: GraphQLSchema,
  format: "flat" | "entity",
): Promise<PlainAnswers> => {
  const store = await loadStore(server);
  const schema = plainSchema(ours);
  const fieldResolver = resolverOf(store, format === "entity");
  return {
    schema,
    answer(text, variableValues) {
      const result = execute({ schema, document: parse(text), variableValues, fieldResolver });
      if ("then" in result) throw new Error("Plain resolvers wait for nothing.");
      const { data, errors } = result;
      const coded = errors?.map((error) => ({ ...error.toJSON(), extensions: { code: "INTERNAL_SERVER_ERROR" } }));
      return JSON.stringify({ ...(coded ? { errors: coded } : {}), data });
    },
  };
};
