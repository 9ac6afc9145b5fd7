/** What `content-types/seed/index.ts` exports: content that a project starts with, loaded by `cms seed`. */
import type { Uid } from "../content-type.ts";

/** Values of attributes, as the body of a request has them under `data`. */
export type SeedData = Readonly<Record<string, unknown>>;

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

export type Seed = (context: SeedContext) => Promise<void>;

/** Types the default export of `content-types/seed/index.ts`. */
export const defineSeed = (seed: Seed): Seed => seed;
