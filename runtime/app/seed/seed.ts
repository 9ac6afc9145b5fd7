/** What `content-types/seed/index.ts` exports: content that a project starts with, loaded by `cms seed`. */
import type { Uid } from "../../schema/content-type.ts";

/** Values of attributes, as the body of a request has them under `data`. */
export type SeedData = Readonly<Record<string, unknown>>;

/** One document of a seed, in every locale that it is written in. */
export interface SeedDocument {
  /** The attribute by which a document of an earlier run is found again, such as `slug`; single types need none. */
  readonly key?: string;
  /** The document in the default locale. */
  readonly data: SeedData;
  /** The document in other locales. */
  readonly translations?: Readonly<Record<string, SeedData>>;
  /** Left unpublished; for types with draft & publish. */
  readonly draft?: true;
}

/** Texts that go with an uploaded file. */
export interface SeedFileInfo {
  readonly alternativeText?: string;
  readonly caption?: string;
}

/** What a seed works with. Everything that is there already stays as it is, so that a seed may run again. */
export interface SeedContext {
  /**
   * Uploads a file, unless one of its name is there.
   *
   * @param path relative to the seed's folder
   * @returns the id of the file, as media attributes take it
   */
  file(path: string, info?: SeedFileInfo): Promise<number>;
  /**
   * Creates a document, or the locales of it that are missing.
   *
   * @returns the documentId, as relations take it
   */
  document(uid: Uid, document: SeedDocument): Promise<string>;
}

/** Fills a project by calls of the context, in an order of its own: what is referred to comes first. */
export type Seed = (context: SeedContext) => Promise<void>;

/** Types the default export of `content-types/seed/index.ts`. */
export const defineSeed = (seed: Seed): Seed => seed;
