/** A document in several locales, as one writer after the other leaves it. */
import type { Status } from "../../../../runtime/schema/document.ts";
import type { Locale } from "./world.ts";

/** What all locales share, and the title, which they do not. */
export interface Content {
  readonly title: string | null;
  readonly size: number | null;
  readonly boxes: readonly string[];
  readonly cover: number | null;
  readonly gallery: readonly number[];
}

const EMPTY: Content = { title: null, size: null, boxes: [], cover: null, gallery: [] };

/** Versions of one document by status and locale, in the order in which they were made. */
export class Model {
  readonly draft = new Map<Locale, Content>();
  readonly published = new Map<Locale, Content>();
  readonly #hasDrafts: boolean;

  constructor(hasDrafts: boolean) {
    this.#hasDrafts = hasDrafts;
  }

  write(locale: Locale, data: Partial<Content>, status: Status): void {
    const written = this.#hasDrafts ? "draft" : "published";
    const versions = this[written];
    const sibling = versions.get("en") ?? [...versions.values()][0];
    const before = versions.get(locale) ?? (sibling ? { ...sibling, title: null } : EMPTY);
    this.#put(written, locale, { ...before, ...data });
    if (written !== status && status === "published") this.publish(locale);
  }

  #put(status: Status, locale: Locale, content: Content): void {
    const versions = this[status];
    versions.set(locale, content);
    for (const [other, { title }] of versions) versions.set(other, { ...content, title });
    versions.set(locale, content);
  }

  publish(locale: Locale): void {
    const draft = this.draft.get(locale);
    if (draft) this.#put("published", locale, draft);
  }

  discard(locale: Locale): void {
    const published = this.published.get(locale);
    if (published) this.#put("draft", locale, published);
  }

  remove(locale: Locale): void {
    this.draft.delete(locale);
    this.published.delete(locale);
  }
}
