import type { ArticleInput } from "../../../generated/article/validator.ts";

/** An article in one language. */
export interface Edition extends Pick<ArticleInput, "title" | "body"> {
  readonly excerpt: string;
  /** What stands out on the page: a remark, or a line worth repeating. */
  readonly sections?: NonNullable<ArticleInput["sections"]>;
}

/** An article of the magazine. Pictures, authors, categories and tags are named by their file or slug. */
export interface Story {
  readonly slug: string;
  readonly cover: string;
  readonly gallery?: readonly string[];
  readonly author: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly featured?: true;
  /** Slugs of stories that are listed before this one. */
  readonly related?: readonly string[];
  /** Not published yet. */
  readonly draft?: true;
  readonly en: Edition;
  readonly de?: Edition;
}
