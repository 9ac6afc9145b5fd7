/**
 * Query options that only code can use, mainly GraphQL. They are instances of classes, so no query string can contain
 * them.
 */
import { randomUUID } from "node:crypto";
import type { Window } from "../query.ts";

/**
 * A random key that clients cannot know. Checked queries are cached by their text, and the text of trusted parts must
 * never equal that of a client's query.
 */
const TRUSTED = `trusted ${randomUUID()}`;

/**
 * Replaces values that JSON cannot represent by unique texts, so that cached queries with them are never mixed up.
 * Refuses a missing filter value, which must not be dropped silently.
 */
const complete = (_key: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value);
  const hasText = value !== undefined && typeof value !== "function" && typeof value !== "symbol";
  return hasText && !(typeof value === "number" && !Number.isFinite(value)) ? value : `none ${randomUUID()}`;
};

/** Filters that application code adds to those of a request. They may name attributes that the caller may not. */
export class Trusted {
  readonly filters: object;

  constructor(filters: object) {
    this.filters = filters;
  }

  toJSON(): object {
    return { [TRUSTED]: JSON.stringify(this.filters, complete) };
  }
}

/** A status for code, whose text no client can write. */
class OwnStatus {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  toJSON(): string {
    return `${this.#name} ${TRUSTED}`;
  }
}

/**
 * Reads the published version, or the draft of a document that was never published. Callers who may not read drafts get
 * published versions only.
 */
export const NEWEST = new OwnStatus("newest");

/**
 * The same for the requested documents and everything populated. Callers who may not read drafts of the requested type
 * are refused.
 */
export const PREVIEW = new OwnStatus("preview");

/** Published versions, as clients of version 4 see them. */
export const LIVE = new OwnStatus("live");

export interface SelectedOptions {
  /** Raw options, as in `populate[attribute]`; true for none. */
  readonly options: Readonly<Record<string, unknown>> | true;
  readonly window?: Window | undefined;
  readonly status?: "published" | typeof NEWEST | undefined;
}

/**
 * An entry in a populate object that shows `attribute` under another key, only a part of its list, or in another
 * status.
 */
export class Selected {
  readonly attribute: string;
  readonly options: SelectedOptions["options"];
  readonly window: Window | undefined;
  readonly status: SelectedOptions["status"];

  constructor(attribute: string, { options, window, status }: SelectedOptions) {
    this.attribute = attribute;
    this.options = options;
    this.window = window;
    this.status = status;
  }
}
