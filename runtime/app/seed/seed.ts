/** The default export of `content-types/seed/index.ts`: the initial content of a project, loaded by `cms seed`. */
import type { Db } from "../../database/drizzle.ts";
import type { DocumentOf, HasDrafts, InputOf, KnownUid } from "../../schema/document.ts";
import type { CreateData, Status, UpdateData } from "../../schema/typed/index.ts";

/** The properties of all documents in a seed. */
interface SeedParts<Uid extends KnownUid, Asked extends Status> {
  /** The attribute by which a document of an earlier run is found, such as `slug`. Single types need none. */
  readonly key?: keyof InputOf<Uid> & string;
  /** The data in the default locale, as in a request's `data`. */
  readonly data: CreateData<DocumentOf<Uid>, InputOf<Uid>, Asked>;
  /** The data in other locales. */
  readonly translations?: Readonly<Record<string, UpdateData<DocumentOf<Uid>, InputOf<Uid>, Asked>>>;
}

/** A document with everything that publishing requires. */
interface CompleteSeed<Uid extends KnownUid> extends SeedParts<Uid, "published"> {
  /** Leaves the document unpublished; for types with draft & publish. */
  readonly draft?: true;
}

/** A document that may lack required values, and stays unpublished. */
interface DraftSeed<Uid extends KnownUid> extends SeedParts<Uid, "draft"> {
  readonly draft: true;
}

/** A document in a seed, with all its locales. A document that stays a draft may lack required values. */
export type SeedDocument<Uid extends KnownUid> =
  | CompleteSeed<Uid>
  | (HasDrafts<DocumentOf<Uid>> extends true ? DraftSeed<Uid> : never);

/** Information about an uploaded file. */
export interface SeedFileInfo {
  readonly alternativeText?: string;
  readonly caption?: string;
}

/** What a seed can do. Existing files and documents stay unchanged, so that a seed can run again. */
export interface SeedContext {
  /** A Drizzle database, for tables of your own. */
  readonly db: Db;
  /**
   * Uploads a file, unless one with its name exists.
   *
   * @param path relative to the seed's folder
   * @returns the id of the file, as media attributes take it
   */
  file(path: string, info?: SeedFileInfo): Promise<number>;
  /**
   * Creates a document, or those of its locales that are missing.
   *
   * @returns the documentId, as relations take it
   */
  document<Uid extends KnownUid>(uid: Uid, document: SeedDocument<Uid>): Promise<string>;
}

/** Fills a project by calling the context. Create documents before others that refer to them. */
export type Seed = (context: SeedContext) => Promise<void>;

/** Types the default export of `content-types/seed/index.ts`. */
export const defineSeed = (seed: Seed): Seed => seed;
