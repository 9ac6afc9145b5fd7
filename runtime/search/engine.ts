/** What a search engine outside of the database has to offer. It finds documents; the database says who may see them. */

/** The texts of one published version of a document. */
export interface EngineDocument {
  /** Unique within the index. */
  readonly id: string;
  readonly documentId: string;
  readonly locale: string | null;
  /** By attribute, without anything private. */
  readonly text: Readonly<Record<string, string>>;
}

/** What to search for. */
export interface EngineQuery {
  readonly words: string;
  /** The locale of the versions to find; null in types without locales. */
  readonly locale: string | null;
}

/** A search engine for `search.engine`, with an index for each content type. */
export interface SearchEngine {
  /**
   * Prepares an index for attributes, those first that count most. The last name is that of no attribute: it changes with
   * the texts that are sent.
   *
   * @returns whether the index lacks documents, because it is new or was prepared for others
   */
  prepare(index: string, attributes: readonly string[]): Promise<boolean>;
  /** Marks an index as filled. */
  filled(index: string, attributes: readonly string[]): Promise<void>;
  /** Stores documents, or replaces those with the same ids. Returns once they are found. */
  put(index: string, documents: readonly EngineDocument[]): Promise<void>;
  /** Removes documents; unknown ids are no fault. Returns once they are no longer found. */
  remove(index: string, ids: readonly string[]): Promise<void>;
  /** The documentIds found, best first. */
  find(index: string, query: EngineQuery): Promise<readonly string[]>;
}

const METHODS = ["prepare", "filled", "put", "remove", "find"] as const;

/** Whether a value of the configuration is an engine. */
export const isSearchEngine = (value: unknown): value is SearchEngine =>
  METHODS.every((name) => typeof Reflect.get(Object(value), name) === "function");

/** The name of a type's index, such as `api--page_page`: another one for each type, as names may have hyphens. */
export const indexName = (uid: string): string => uid.replace("::", "--").replaceAll("_", "__").replaceAll(".", "_");

/** Where the parameters of a query have its words, its locales and what an engine has found. */
interface Slots {
  readonly words: number;
  readonly locales: readonly number[];
  readonly hits?: number;
}

/** The parameters of a query with what an engine has found; undefined where none is asked. */
export const withHits = async <Parameter>(
  engine: unknown,
  uid: string,
  { words, locales: [locale], hits }: Slots,
  parameters: readonly Parameter[],
): Promise<readonly (Parameter | readonly string[])[] | undefined> => {
  if (hits === undefined || !isSearchEngine(engine)) return undefined;
  const found = await engine.find(indexName(uid), {
    words: String(parameters[words]),
    locale: locale === undefined ? null : String(parameters[locale]),
  });
  return parameters.map((parameter, slot) => (slot === hits ? found : parameter));
};
