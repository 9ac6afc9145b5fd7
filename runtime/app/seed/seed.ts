/** What `content-types/seed/index.ts` exports: content that a project starts with, loaded by `cms seed`. */
import type { DocumentOf, HasDrafts, InputOf, KnownUid } from "../../schema/document.ts";
import type { CreateData, Status, UpdateData } from "../../schema/typed/index.ts";

/** What any document of a seed has. */
interface SeedParts<Uid extends KnownUid, Asked extends Status> {
  /** The attribute by which a document of an earlier run is found again, such as `slug`; single types need none. */
  readonly key?: keyof InputOf<Uid> & string;
  /** The document in the default locale, as the body of a request has it under `data`. */
  readonly data: CreateData<DocumentOf<Uid>, InputOf<Uid>, Asked>;
  /** The document in other locales. */
  readonly translations?: Readonly<Record<string, UpdateData<DocumentOf<Uid>, InputOf<Uid>, Asked>>>;
}

/** A document that has all that a published one needs. */
interface CompleteSeed<Uid extends KnownUid> extends SeedParts<Uid, "published"> {
  /** Left unpublished; for types with draft & publish. */
  readonly draft?: true;
}

/** A document that lacks something, and stays unpublished. */
interface DraftSeed<Uid extends KnownUid> extends SeedParts<Uid, "draft"> {
  readonly draft: true;
}

/** One document of a seed, in every locale that it is written in. What stays a draft may lack what is required. */
export type SeedDocument<Uid extends KnownUid> =
  | CompleteSeed<Uid>
  | (HasDrafts<DocumentOf<Uid>> extends true ? DraftSeed<Uid> : never);

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
  document<Uid extends KnownUid>(uid: Uid, document: SeedDocument<Uid>): Promise<string>;
}

/** Fills a project by calls of the context, in an order of its own: what is referred to comes first. */
export type Seed = (context: SeedContext) => Promise<void>;

/** Types the default export of `content-types/seed/index.ts`. */
export const defineSeed = (seed: Seed): Seed => seed;
